// expect: muster::only<S>(g, body): S names lanes of the warp, and which lanes this group has is known at run time only
#include <muster/muster.hpp>

namespace only_under_a_branch {

inline constexpr muster::lane_set low{0x0000ffff};

MUSTER_FN void part(muster::tile<32> warp, int v) {
#ifdef MUSTER_MISTAKE
  muster::branch(warp, v > 0, [](auto some) { muster::only<low>(some, [](auto half) { muster::sync(half); }); });
#else
  muster::only<low>(warp, [v](auto half) { muster::branch(half, v > 0, [](auto some) { muster::sync(some); }); });
#endif
}

}  // namespace only_under_a_branch
