// expect: muster: loop_while(g, predicate, body)
#include <muster/muster.hpp>

namespace loop_without_a_body {

MUSTER_FN void f(muster::tile<32> warp, float& v) {
#ifdef MUSTER_MISTAKE
  muster::loop_while(warp, [&](auto) { return v > 0; });
#else
  muster::loop_while(warp, [&](auto) { return v > 0; }, [&](auto) { v -= 1; });
#endif
}

}  // namespace loop_without_a_body
