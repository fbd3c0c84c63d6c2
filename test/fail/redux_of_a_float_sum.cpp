// expect: muster: this policy does not do this operator on this type and group
#include <muster/muster.hpp>

namespace redux_of_a_float_sum {

MUSTER_FN float total(muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(muster::policy::redux, warp, v, muster::plus{});
#else
  return muster::reduce(muster::policy::redux, warp, v, muster::maximum{});
#endif
}

}  // namespace redux_of_a_float_sum
