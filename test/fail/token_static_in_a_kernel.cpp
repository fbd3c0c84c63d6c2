// expect: dynamic initialization is not supported for a function-scope static
// only: nvcc, statics of kernels are refused by its device pass
#include <muster/muster.hpp>

namespace token_static_in_a_kernel {

MUSTER_FN void wait(muster::block<muster::block_dims<64>> block) {
#ifdef MUSTER_MISTAKE
  static auto const warp = muster::this_warp(block);
#else
  auto const warp = muster::this_warp(block);
#endif
  muster::sync(warp);
}

}  // namespace token_static_in_a_kernel
