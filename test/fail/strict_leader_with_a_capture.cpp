// expect: muster (strict scopes): a body captures nothing
// flags: -DMUSTER_STRICT_SCOPES
#include <muster/muster.hpp>

namespace strict_leader_with_a_capture {

MUSTER_FN void lead(muster::tile<8> tile, int* out) {
#ifdef MUSTER_MISTAKE
  muster::invoke_one(tile, [out] { *out = 1; });
#else
  muster::invoke_one(tile, muster::with(out), [](int* o) { *o = 1; });
#endif
}

}  // namespace strict_leader_with_a_capture
