// expect: muster: the xor or the distance is part of the call's type
#include <muster/muster.hpp>

namespace xor_among_the_arguments {

MUSTER_FN float f(muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  return muster::shuffle_xor(warp, v, 1);
#else
  return muster::shuffle_xor<1>(warp, v);
#endif
}

}  // namespace xor_among_the_arguments
