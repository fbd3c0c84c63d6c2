// expect: muster: the body cannot be called with the token of its scope and the state
#include <muster/muster.hpp>

namespace leader_that_is_a_value {

MUSTER_FN int f(muster::tile<32> warp, int n) {
#ifdef MUSTER_MISTAKE
  muster::invoke_one_broadcast(warp, n);
  return n;
#else
  return muster::invoke_one_broadcast(warp, [=] { return n; });
#endif
}

}  // namespace leader_that_is_a_value
