// expect: muster: the body cannot be called with the token of its scope and the state
#include <muster/muster.hpp>

namespace body_without_its_state {

MUSTER_FN void mark(muster::tile<32> warp, int* out) {
#ifdef MUSTER_MISTAKE
  muster::only_rank<0>(warp, muster::with(out), [](auto) {});
#else
  muster::only_rank<0>(warp, muster::with(out), [](auto, int*& to) { to[1] = 1; });
#endif
}

}  // namespace body_without_its_state
