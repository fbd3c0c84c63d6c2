// expect: muster (strict scopes): a body captures nothing
// flags: -DMUSTER_STRICT_SCOPES
#include <muster/muster.hpp>

namespace strict_full_warp_in_one_half {

inline constexpr muster::lane_set low{0x0000ffff};

MUSTER_FN void fold(muster::tile<32> warp, int& v) {
#ifdef MUSTER_MISTAKE
  muster::only<low>(warp, [&](auto) { for (int d = 8; d > 0; d /= 2) v += muster::shuffle(warp, v, d); });
#else
  muster::only<low>(warp, muster::with(v), [](auto half, int& x) { x = muster::reduce(half, x, muster::plus{}); });
#endif
}

}  // namespace strict_full_warp_in_one_half
