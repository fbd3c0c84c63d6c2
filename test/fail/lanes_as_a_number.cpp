// expect: muster::only<S>(g, body): S is a lane_set and no number: only<muster::lane_set{0x0f}>(g, body)
#include <muster/muster.hpp>

namespace lanes_as_a_number {

MUSTER_FN void f(muster::tile<32> warp, float& v) {
#ifdef MUSTER_MISTAKE
  muster::only<0x0f>(warp, [&](auto) { v += 1; });
#else
  muster::only<muster::lane_set{0x0f}>(warp, [&](auto) { v += 1; });
#endif
}

}  // namespace lanes_as_a_number
