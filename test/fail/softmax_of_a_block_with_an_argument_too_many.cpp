// expect: muster: softmax, log_softmax and log_sum_exp take a value
#include <muster/muster.hpp>

namespace softmax_of_a_block_with_an_argument_too_many {

using storage = muster::block_storage<float, muster::block_dims<64>>;

MUSTER_FN float f(muster::block<muster::block_dims<64>> block, storage& s, float v) {
#ifdef MUSTER_MISTAKE
  return muster::softmax(block, s, v, 3);
#else
  return muster::softmax(block, s, v);
#endif
}

}  // namespace softmax_of_a_block_with_an_argument_too_many
