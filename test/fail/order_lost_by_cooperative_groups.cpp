// expect: muster: this policy does not do this operator on this type and group
#include <muster/muster.hpp>
#include <muster/policy/cooperative_groups.hpp>

namespace order_lost_by_cooperative_groups {

struct first {
  static constexpr bool is_commutative = false;
  template <class T>
  MUSTER_FN T operator()(T a, T b) const {
    return a == 0 ? b : a;
  }
  template <class T>
  MUSTER_FN static T identity() {
    return T(0);
  }
};

MUSTER_FN int earliest(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(muster::policy::cooperative_groups, tile, v, first{});
#else
  return muster::reduce(muster::policy::shuffle, tile, v, first{});
#endif
}

}  // namespace order_lost_by_cooperative_groups
