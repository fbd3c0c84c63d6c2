// expect: muster::held_by: what a thread of a block holds goes to the others through a storage
#include <muster/muster.hpp>

namespace held_value_of_a_block_without_its_storage {

using dims = muster::block_dims<64>;

MUSTER_FN int total(muster::block<dims> block, muster::block_storage<int, dims>& fold, int v) {
  auto const held = muster::reduce_to<0>(block, fold, v, muster::plus{});
#ifdef MUSTER_MISTAKE
  return held.broadcast(block);
#else
  return muster::broadcast(block, fold, held);
#endif
}

}  // namespace held_value_of_a_block_without_its_storage
