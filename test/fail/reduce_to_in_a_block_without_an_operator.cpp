// expect: muster: the operator of the fold is missing
#include <muster/muster.hpp>

namespace reduce_to_in_a_block_without_an_operator {

using storage = muster::block_storage<float, muster::block_dims<64>>;

MUSTER_FN float f(muster::block<muster::block_dims<64>> block, [[maybe_unused]] storage& s, float v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce_to<0>(block, s, v), v;
#else
  return (void)muster::reduce_to<0>(block, s, v, muster::plus{}), v;
#endif
}

}  // namespace reduce_to_in_a_block_without_an_operator
