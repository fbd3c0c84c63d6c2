// expect: muster: the body cannot be called with the token of its scope and the state
#include <muster/muster.hpp>

namespace predicate_without_a_token {

MUSTER_FN void mark(muster::tile<32> warp, int* out) {
#ifdef MUSTER_MISTAKE
  muster::loop_while(warp, [&] { return out[0] > 0; }, [&](auto) { --out[0]; });
#else
  muster::loop_while(warp, [&](auto) { return out[0] > 0; }, [&](auto) { --out[0]; });
#endif
}

}  // namespace predicate_without_a_token
