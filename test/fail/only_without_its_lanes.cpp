// expect: muster::only<S>(g, body): S is missing
#include <muster/muster.hpp>

namespace only_without_its_lanes {

MUSTER_FN void f(muster::tile<32> warp, float& v) {
#ifdef MUSTER_MISTAKE
  muster::only(warp, [&](auto) { v += 1; });
#else
  muster::only<muster::lane_set{0x0f}>(warp, [&](auto) { v += 1; });
#endif
}

}  // namespace only_without_its_lanes
