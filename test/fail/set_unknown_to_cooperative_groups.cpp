// expect: muster: this policy does not do this operator on this type and group
#include <muster/muster.hpp>
#include <muster/policy/cooperative_groups.hpp>

namespace set_unknown_to_cooperative_groups {

inline constexpr muster::lane_set low{0x0000ffff};

MUSTER_FN void total(muster::tile<32> warp, int& v) {
#ifdef MUSTER_MISTAKE
  muster::only<low>(warp, [&](auto half) { v = muster::reduce(muster::policy::cooperative_groups, half, v, muster::plus{}); });
#else
  muster::only<low>(warp, [&](auto half) { v = muster::reduce(muster::policy::automatic, half, v, muster::plus{}); });
#endif
}

}  // namespace set_unknown_to_cooperative_groups
