// expect(g++): conversion from
// expect(clang++): no viable conversion
// expect(nvcc): no suitable
#include <muster/muster.hpp>

namespace warp_of_a_ragged_block_is_full {

MUSTER_FN int total(muster::block<muster::block_dims<48>> block, int v) {
#ifdef MUSTER_MISTAKE
  muster::tile<32> const warp = muster::this_warp(block);
#else
  auto const warp = muster::this_warp(block);
#endif
  return muster::reduce(warp, v, muster::plus{});
}

}  // namespace warp_of_a_ragged_block_is_full
