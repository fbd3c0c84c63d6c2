// expect: muster: the body cannot be called with the token of its scope and the state
#include <muster/muster.hpp>

namespace body_without_a_token {

MUSTER_FN void mark(muster::tile<32> warp, int* out) {
#ifdef MUSTER_MISTAKE
  muster::branch(warp, out[0] > 0, [&] { out[1] = 1; });
#else
  muster::branch(warp, out[0] > 0, [&](auto) { out[1] = 1; });
#endif
}

}  // namespace body_without_a_token
