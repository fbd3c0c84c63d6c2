// expect(g++): 'activemask' is not a member of 'muster'
// expect(clang++): no member named 'activemask' in namespace 'muster'
// expect(nvcc): namespace "muster" has no member "activemask"
#include <muster/muster.hpp>

namespace activemask_is_asked_for {

MUSTER_FN void count_even(muster::tile<32> warp, int i, int& even) {
#ifdef MUSTER_MISTAKE
  muster::branch(warp, i < 75, [&](auto part) { even += muster::ballot(muster::activemask(), i % 2 == 0).count(); muster::sync(part); });
#else
  muster::branch(warp, i < 75, [&](auto part) { even += muster::ballot(part, i % 2 == 0).count(); });
#endif
}

}  // namespace activemask_is_asked_for
