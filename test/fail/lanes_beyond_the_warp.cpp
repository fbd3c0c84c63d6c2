// expect: lane_set::range(first, count) is empty where it would go beyond lane 31
#include <muster/muster.hpp>

namespace lanes_beyond_the_warp {

inline MUSTER_FN void run(muster::tile<32> warp, int* out) {
#ifdef MUSTER_MISTAKE
  muster::only<muster::lane_set::range(20, 16)>(warp, muster::with(out), [](auto group, int* out) { out[muster::thread_rank(group)] = 1; });
#else
  muster::only<muster::lane_set::range(20, 12)>(warp, muster::with(out), [](auto group, int* out) { out[muster::thread_rank(group)] = 1; });
#endif
}

}  // namespace lanes_beyond_the_warp
