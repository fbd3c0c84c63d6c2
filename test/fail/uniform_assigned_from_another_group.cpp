// expect(g++): use of deleted function
// expect(clang++): deleted
// expect(nvcc): it is a deleted function
#include <muster/muster.hpp>

namespace uniform_assigned_from_another_group {

inline constexpr muster::lane_set low{0x0000ffff};

MUSTER_FN bool some(muster::tile<32> warp, bool p) {
#ifdef MUSTER_MISTAKE
  auto vote = muster::any(warp, p);
  muster::only<low>(warp, [&](auto half) { vote = muster::any(half, p); });
#else
  bool vote = muster::any(warp, p);
  muster::only<low>(warp, [&](auto half) { vote = muster::any(half, p); });
#endif
  return vote;
}

}  // namespace uniform_assigned_from_another_group
