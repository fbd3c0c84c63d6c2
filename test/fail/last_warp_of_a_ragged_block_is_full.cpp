// expect: muster::shuffle_up/shuffle_down/shift_up/shift_down<D>(tile, v): the distance reaches beyond every member
// expect(g++): delta_is_below_tile_size<16, 16>
// expect(clang++): delta_is_below_tile_size<16, 16>
// expect(nvcc): Asked=16, SmallestTile=16
#include <muster/muster.hpp>

namespace last_warp_of_a_ragged_block_is_full {

MUSTER_FN void half(muster::block<muster::block_dims<48>> block, int& v) {
#ifdef MUSTER_MISTAKE
  auto const fold = [&](auto warp) { v += muster::shuffle_down<16>(warp, v); };
#else
  auto const fold = [&](auto warp) { v = muster::reduce(warp, v, muster::plus{}); };
#endif
  muster::for_warps(block, fold, fold);
}

}  // namespace last_warp_of_a_ragged_block_is_full
