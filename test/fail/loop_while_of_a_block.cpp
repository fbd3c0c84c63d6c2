// expect: muster: the first argument says who takes part
#include <muster/muster.hpp>

namespace loop_while_of_a_block {

MUSTER_FN void mark(muster::block<muster::block_dims<64>> block, int* out) {
#ifdef MUSTER_MISTAKE
  muster::loop_while(block, [&](auto) { return out[0] > 0; }, [&](auto) { --out[0]; });
#else
  muster::loop_while(muster::this_warp(block), [&](auto) { return out[0] > 0; }, [&](auto) { --out[0]; });
#endif
}

}  // namespace loop_while_of_a_block
