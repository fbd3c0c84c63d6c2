// expect: muster::with(...): state is handed on by reference
#include <muster/muster.hpp>

namespace temporary_among_the_state {

MUSTER_FN void f(muster::tile<32> warp, bool p, float v) {
#ifdef MUSTER_MISTAKE
  muster::branch(warp, p, muster::with(v + 1), [](auto, float& x) { x += 1; });
#else
  muster::branch(warp, p, muster::with(v), [](auto, float& x) { x += 1; });
#endif
}

}  // namespace temporary_among_the_state
