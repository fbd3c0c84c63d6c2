// expect: muster: softmax, log_softmax and log_sum_exp take a value
#include <muster/muster.hpp>

namespace softmax_with_an_argument_too_many {

MUSTER_FN float f(muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  return muster::softmax(warp, v, 3);
#else
  return muster::softmax(warp, v);
#endif
}

}  // namespace softmax_with_an_argument_too_many
