// expect: muster: not every tile of the group has a member of this rank
// expect(g++): rank_exists_in_every_tile<11, 11>
// expect(clang++): rank_exists_in_every_tile<11, 11>
// expect(nvcc): Asked=11, SmallestTile=11
#include <muster/muster.hpp>

namespace shuffle_of_a_rank_beyond_the_members {

inline constexpr muster::lane_set eleven{0x7ff};

MUSTER_FN int last(muster::tile<32, muster::lanes<eleven>> warp, int v) {
#ifdef MUSTER_MISTAKE
  return muster::shuffle<11>(warp, v);
#else
  return muster::shuffle<10>(warp, v);
#endif
}

}  // namespace shuffle_of_a_rank_beyond_the_members
