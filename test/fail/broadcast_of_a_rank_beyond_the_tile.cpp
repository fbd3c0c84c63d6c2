// expect: muster: not every tile of the group has a member of this rank
// expect(g++): rank_exists_in_every_tile<8, 8>
// expect(clang++): rank_exists_in_every_tile<8, 8>
// expect(nvcc): Asked=8, SmallestTile=8
#include <muster/muster.hpp>

namespace broadcast_of_a_rank_beyond_the_tile {

MUSTER_FN int leader(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::broadcast<8>(tile, v);
#else
  return muster::broadcast<7>(tile, v);
#endif
}

}  // namespace broadcast_of_a_rank_beyond_the_tile
