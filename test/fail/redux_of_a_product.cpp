// expect: muster: this policy does not do this operator on this type and group
#include <muster/muster.hpp>

namespace redux_of_a_product {

MUSTER_FN int product(muster::tile<32> warp, int v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(muster::policy::redux, warp, v, muster::multiplies{});
#else
  return muster::reduce(muster::policy::shuffle, warp, v, muster::multiplies{});
#endif
}

}  // namespace redux_of_a_product
