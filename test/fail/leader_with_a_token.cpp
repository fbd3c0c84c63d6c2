// expect: muster: the body cannot be called with the token of its scope and the state
#include <muster/muster.hpp>

namespace leader_with_a_token {

MUSTER_FN void mark(muster::tile<32> warp, int* out) {
#ifdef MUSTER_MISTAKE
  muster::invoke_one(warp, [&](auto) { out[1] = 1; });
#else
  muster::invoke_one(warp, [&] { out[1] = 1; });
#endif
}

}  // namespace leader_with_a_token
