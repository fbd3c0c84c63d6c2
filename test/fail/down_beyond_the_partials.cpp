// expect: muster::shuffle_up/shuffle_down/shift_up/shift_down<D>(tile, v): the distance reaches beyond every member
// expect(g++): delta_is_below_tile_size<16, 8>
// expect(clang++): delta_is_below_tile_size<16, 8>
// expect(nvcc): Asked=16, SmallestTile=8
#include <muster/muster.hpp>

namespace down_beyond_the_partials {

inline constexpr muster::lane_set partials{0xff};

MUSTER_FN void second_stage(muster::tile<32> warp, int& v) {
#ifdef MUSTER_MISTAKE
  muster::only<partials>(warp, [&](auto part) { v += muster::shuffle_down<16>(part, v); });
#else
  muster::only<partials>(warp, [&](auto part) { v = muster::reduce(part, v, muster::plus{}); });
#endif
}

}  // namespace down_beyond_the_partials
