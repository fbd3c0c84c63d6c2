// expect: muster::held_by: the value is held in another group
#include <muster/muster.hpp>

namespace held_value_of_a_warp_broadcast_by_its_block {

MUSTER_FN void mark(muster::block<muster::block_dims<64>> block, int* out) {
#ifdef MUSTER_MISTAKE
  out[1] = muster::reduce_to<0>(muster::this_warp(block), out[0], muster::plus{}).broadcast(block);
#else
  out[1] = muster::reduce_to<0>(muster::this_warp(block), out[0], muster::plus{}).broadcast(muster::this_warp(block));
#endif
}

}  // namespace held_value_of_a_warp_broadcast_by_its_block
