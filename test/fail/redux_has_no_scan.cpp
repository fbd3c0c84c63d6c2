// expect: muster: this policy does not have this algorithm
#include <muster/muster.hpp>

namespace redux_has_no_scan {

MUSTER_FN int running(muster::tile<32> warp, int v) {
#ifdef MUSTER_MISTAKE
  return muster::inclusive_scan(muster::policy::redux, warp, v, muster::plus{});
#else
  return muster::inclusive_scan(muster::policy::shuffle, warp, v, muster::plus{});
#endif
}

}  // namespace redux_has_no_scan
