// expect: muster: the body cannot be called with the token of its scope and the state
#include <muster/muster.hpp>

namespace body_of_one_warp_without_a_token {

MUSTER_FN void mark(muster::block<muster::block_dims<64>> block, int* out) {
#ifdef MUSTER_MISTAKE
  muster::only_warp<1>(block, [&] { out[1] = 1; });
#else
  muster::only_warp<1>(block, [&](auto) { out[1] = 1; });
#endif
}

}  // namespace body_of_one_warp_without_a_token
