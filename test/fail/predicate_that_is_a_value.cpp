// expect: muster: the body cannot be called with the token of its scope and the state
#include <muster/muster.hpp>

namespace predicate_that_is_a_value {

MUSTER_FN void f(muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  muster::loop_while(warp, v > 0, [&](auto) { v -= 1; });
#else
  muster::loop_while(warp, [&](auto) { return v > 0; }, [&](auto) { v -= 1; });
#endif
}

}  // namespace predicate_that_is_a_value
