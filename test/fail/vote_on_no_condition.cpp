// expect: muster: ballot(tile, p), any(tile, p), all(tile, p): p is one condition
#include <muster/muster.hpp>

namespace vote_on_no_condition {

struct maybe {
  bool holds;
};

MUSTER_FN int f(muster::tile<32> warp, maybe m) {
#ifdef MUSTER_MISTAKE
  return muster::ballot(warp, m).count();
#else
  return muster::ballot(warp, m.holds).count();
#endif
}

}  // namespace vote_on_no_condition
