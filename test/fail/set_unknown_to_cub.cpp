// expect: muster: this policy does not do this operator on this type and group
#include <muster/muster.hpp>
#include <muster/policy/cub.hpp>

namespace set_unknown_to_cub {

inline constexpr muster::lane_set six{0x3f};

MUSTER_FN void total(muster::tile<32> warp, int& v) {
#ifdef MUSTER_MISTAKE
  muster::only<six>(warp, [&](auto few) { v = muster::reduce(muster::policy::cub, few, v, muster::plus{}); });
#else
  muster::only<six>(warp, [&](auto few) { v = muster::reduce(muster::policy::shuffle, few, v, muster::plus{}); });
#endif
}

}  // namespace set_unknown_to_cub
