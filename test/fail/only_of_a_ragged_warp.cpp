// expect: muster::only<S>(g, body): S names lanes of the warp, and which lanes this group has is known at run time only
#include <muster/muster.hpp>

namespace only_of_a_ragged_warp {

inline constexpr muster::lane_set low{0x0000ffff};

MUSTER_FN void part(muster::tile<32, muster::ragged> warp) {
#ifdef MUSTER_MISTAKE
  muster::only<low>(warp, [](auto half) { muster::sync(half); });
#else
  muster::branch(warp, muster::thread_rank(warp) < 16, [](auto half) { muster::sync(half); });
#endif
}

}  // namespace only_of_a_ragged_warp
