// expect: muster: the first argument says who takes part
#include <muster/muster.hpp>

namespace leader_of_a_block {

MUSTER_FN void mark(muster::block<muster::block_dims<64>> block, int* out) {
#ifdef MUSTER_MISTAKE
  muster::invoke_one(block, [&] { out[1] = 1; });
#else
  muster::invoke_one(muster::this_warp(block), [&] { out[1] = 1; });
#endif
}

}  // namespace leader_of_a_block
