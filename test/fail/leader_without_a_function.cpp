// expect: muster: invoke_one(tile, f), invoke_one_broadcast(tile, f)
#include <muster/muster.hpp>

namespace leader_without_a_function {

MUSTER_FN void f(muster::tile<32> warp, int& n) {
#ifdef MUSTER_MISTAKE
  muster::invoke_one(warp, muster::with(n));
#else
  muster::invoke_one(warp, muster::with(n), [](int& x) { x = 1; });
#endif
}

}  // namespace leader_without_a_function
