// expect: muster::softmax/log_sum_exp: floating-point values
#include <muster/muster.hpp>

namespace fold_of_integers_as_softmax {

MUSTER_FN float share(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return static_cast<float>(muster::softmax(tile, v));
#else
  return muster::softmax(tile, static_cast<float>(v));
#endif
}

}  // namespace fold_of_integers_as_softmax
