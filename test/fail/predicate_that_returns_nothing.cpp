// expect: the predicate returns a bool, or a uniform of the group
#include <muster/muster.hpp>

namespace predicate_that_returns_nothing {

MUSTER_FN void mark(muster::tile<32> warp, int* out) {
#ifdef MUSTER_MISTAKE
  muster::loop_while(warp, [&](auto) { --out[0]; }, [&](auto) { --out[1]; });
#else
  muster::loop_while(warp, [&](auto) { return --out[0] > 0; }, [&](auto) { --out[1]; });
#endif
}

}  // namespace predicate_that_returns_nothing
