// expect: muster: branch(g, condition, then[, otherwise])
#include <muster/muster.hpp>

namespace branch_without_a_condition {

MUSTER_FN void f(muster::tile<32> warp, float& v) {
#ifdef MUSTER_MISTAKE
  muster::branch(warp, [&](auto) { v += 1; });
#else
  muster::branch(warp, v > 0, [&](auto) { v += 1; });
#endif
}

}  // namespace branch_without_a_condition
