// expect: muster::shuffle_xor<X>(tile, v): who is in this group is known at run time only
#include <muster/muster.hpp>

namespace xor_under_a_branch {

MUSTER_FN void partner(muster::tile<32> warp, int& v) {
#ifdef MUSTER_MISTAKE
  muster::branch(warp, v > 3, [&](auto part) { v = muster::shuffle_xor<1>(part, v); });
#else
  muster::branch(warp, v > 3, [&](auto part) { v = muster::reduce(part, v, muster::plus{}); });
#endif
}

}  // namespace xor_under_a_branch
