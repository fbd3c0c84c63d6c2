// expect: muster: the operator of the fold is missing
#include <muster/muster.hpp>

namespace scan_through_a_policy_without_an_operator {

MUSTER_FN float f(muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  return muster::inclusive_scan(muster::policy::shuffle, warp, v);
#else
  return muster::inclusive_scan(muster::policy::shuffle, warp, v, muster::plus{});
#endif
}

}  // namespace scan_through_a_policy_without_an_operator
