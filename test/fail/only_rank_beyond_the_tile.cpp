// expect: muster: not every tile of the group has a member of this rank
// expect(g++): rank_exists_in_every_tile<9, 8>
// expect(clang++): rank_exists_in_every_tile<9, 8>
// expect(nvcc): Asked=9, SmallestTile=8
#include <muster/muster.hpp>

namespace only_rank_beyond_the_tile {

MUSTER_FN void leader(muster::tile<8> tile, int* out) {
#ifdef MUSTER_MISTAKE
  muster::only_rank<9>(tile, [&](auto) { *out = 1; });
#else
  muster::only_rank<1>(tile, [&](auto) { *out = 1; });
#endif
}

}  // namespace only_rank_beyond_the_tile
