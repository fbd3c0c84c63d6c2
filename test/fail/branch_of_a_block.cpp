// expect: muster: the first argument says who takes part
#include <muster/muster.hpp>

namespace branch_of_a_block {

MUSTER_FN void mark(muster::block<muster::block_dims<64>> block, int* out) {
#ifdef MUSTER_MISTAKE
  muster::branch(block, out[0] > 0, [&](auto) { out[1] = 1; });
#else
  muster::branch(muster::this_warp(block), out[0] > 0, [&](auto) { out[1] = 1; });
#endif
}

}  // namespace branch_of_a_block
