// expect: muster: this value is uniform in another group
#include <muster/muster.hpp>

namespace uniform_of_another_group_as_condition {

MUSTER_FN void total(muster::tile<32> warp, muster::tile<8> tile, bool p, int& v) {
#ifdef MUSTER_MISTAKE
  muster::branch(tile, muster::any(warp, p), [&](auto own) { v = muster::reduce(own, v, muster::plus{}); });
#else
  muster::branch(tile, muster::any(tile, p), [&](auto own) { v = muster::reduce(own, v, muster::plus{}); });
#endif
  muster::sync(warp);
}

}  // namespace uniform_of_another_group_as_condition
