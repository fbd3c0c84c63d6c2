// expect: muster::invoke_one_broadcast(tile, f): f returns what all members get
#include <muster/muster.hpp>

namespace leader_that_returns_nothing {

MUSTER_FN void f(muster::tile<32> warp, int& n) {
#ifdef MUSTER_MISTAKE
  muster::invoke_one_broadcast(warp, [&] { n = 1; });
#else
  muster::invoke_one(warp, [&] { n = 1; });
#endif
}

}  // namespace leader_that_returns_nothing
