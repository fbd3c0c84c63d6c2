// expect: muster: a body returns nothing
#include <muster/muster.hpp>

namespace token_returned_from_a_body {

inline constexpr muster::lane_set low{0x0000ffff};

MUSTER_FN void halve(muster::tile<32> warp) {
#ifdef MUSTER_MISTAKE
  muster::only<low>(warp, [](auto half) { return half; });
#else
  muster::only<low>(warp, [](auto half) { muster::sync(half); });
#endif
}

}  // namespace token_returned_from_a_body
