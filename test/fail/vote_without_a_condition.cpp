// expect: muster: ballot(tile, p), any(tile, p), all(tile, p): p is one condition
#include <muster/muster.hpp>

namespace vote_without_a_condition {

MUSTER_FN bool f(muster::tile<32> warp, [[maybe_unused]] bool p) {
#ifdef MUSTER_MISTAKE
  return muster::any(warp);
#else
  return muster::any(warp, p);
#endif
}

}  // namespace vote_without_a_condition
