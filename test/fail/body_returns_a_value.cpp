// expect: muster: a body returns nothing
#include <muster/muster.hpp>

namespace body_returns_a_value {

MUSTER_FN void part(muster::tile<32> warp, int v) {
#ifdef MUSTER_MISTAKE
  muster::branch(warp, v > 0, [v](auto some) { return muster::reduce(some, v, muster::plus{}).value(); });
#else
  muster::branch(warp, v > 0, [v](auto some) { (void)muster::reduce(some, v, muster::plus{}); });
#endif
}

}  // namespace body_returns_a_value
