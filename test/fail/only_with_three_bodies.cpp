// expect: muster: only<S>(g, then[, otherwise])
#include <muster/muster.hpp>

namespace only_with_three_bodies {

MUSTER_FN void f(muster::tile<32> warp, float& v) {
#ifdef MUSTER_MISTAKE
  muster::only<muster::lane_set{0x0f}>(warp, [&](auto) { v += 1; }, [&](auto) { v += 2; }, [&](auto) { v += 3; });
#else
  muster::only<muster::lane_set{0x0f}>(warp, [&](auto) { v += 1; }, [&](auto) { v += 2; });
#endif
}

}  // namespace only_with_three_bodies
