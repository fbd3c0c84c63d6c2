// expect: muster::shuffle_up/shuffle_down/shift_up/shift_down<D>(tile, v): the distance reaches beyond every member
// expect(g++): delta_is_below_tile_size<3, 3>
// expect(clang++): delta_is_below_tile_size<3, 3>
// expect(nvcc): Asked=3, SmallestTile=3
#include <muster/muster.hpp>

namespace down_beyond_the_smallest_tile {

inline constexpr muster::lane_set eleven{0x7ff};

MUSTER_FN int next(muster::tile<8, muster::lanes<eleven>> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::shuffle_down<3>(tile, v);
#else
  return muster::shuffle_down<2>(tile, v);
#endif
}

}  // namespace down_beyond_the_smallest_tile
