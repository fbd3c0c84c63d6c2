// expect: muster (strict scopes): a body captures nothing
// flags: -DMUSTER_STRICT_SCOPES
#include <muster/muster.hpp>

namespace strict_predicate_with_a_capture {

MUSTER_FN void halve(muster::tile<32> warp, int& v) {
#ifdef MUSTER_MISTAKE
  muster::loop_while(warp, muster::with(v), [&](auto, int const&) { return v > 1; }, [](auto, int& x) { x /= 2; });
#else
  muster::loop_while(warp, muster::with(v), [](auto, int const& x) { return x > 1; }, [](auto, int& x) { x /= 2; });
#endif
}

}  // namespace strict_predicate_with_a_capture
