// expect: muster: not every tile of the group has a member of this rank
// expect(g++): rank_exists_in_every_tile<1, 1>
// expect(clang++): rank_exists_in_every_tile<1, 1>
// expect(nvcc): Asked=1, SmallestTile=1
#include <muster/muster.hpp>

namespace broadcast_of_rank_one_in_a_ragged_warp {

MUSTER_FN int leader(muster::tile<32, muster::ragged> warp, int v) {
#ifdef MUSTER_MISTAKE
  return muster::broadcast<1>(warp, v);
#else
  return muster::broadcast<0>(warp, v);
#endif
}

}  // namespace broadcast_of_rank_one_in_a_ragged_warp
