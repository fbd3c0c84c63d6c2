// expect: muster (strict scopes): a body captures nothing
// flags: -DMUSTER_STRICT_SCOPES
#include <muster/muster.hpp>

namespace strict_scan_of_the_warp_under_a_branch {

MUSTER_FN void scan(muster::tile<32> warp, int& v) {
#ifdef MUSTER_MISTAKE
  muster::branch(warp, muster::thread_rank(warp) < 8, [&](auto) { v = muster::inclusive_scan(warp, v, muster::plus{}); });
#else
  muster::branch(warp, muster::thread_rank(warp) < 8, muster::with(v), [](auto part, int& x) { x = muster::inclusive_scan(part, x, muster::plus{}); });
#endif
}

}  // namespace strict_scan_of_the_warp_under_a_branch
