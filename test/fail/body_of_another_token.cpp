// expect: muster: the body cannot be called with the token of its scope and the state
#include <muster/muster.hpp>

namespace body_of_another_token {

MUSTER_FN void mark(muster::tile<32> warp, int* out) {
#ifdef MUSTER_MISTAKE
  muster::only<muster::lane_set{0xff}>(warp, [&](muster::tile<32>) { out[1] = 1; });
#else
  muster::only<muster::lane_set{0xff}>(warp, [&](muster::tile<32, muster::lanes<muster::lane_set{0xff}>>) { out[1] = 1; });
#endif
}

}  // namespace body_of_another_token
