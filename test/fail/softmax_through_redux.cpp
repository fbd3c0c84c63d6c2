// expect: muster: this policy does not do this operator on this type and group
#include <muster/muster.hpp>

namespace softmax_through_redux {

MUSTER_FN float share(muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  return muster::softmax(muster::policy::redux, warp, v);
#else
  return muster::softmax(muster::policy::shuffle, warp, v);
#endif
}

}  // namespace softmax_through_redux
