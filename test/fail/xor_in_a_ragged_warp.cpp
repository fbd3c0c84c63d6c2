// expect: muster::shuffle_xor<X>(tile, v): who is in this group is known at run time only
#include <muster/muster.hpp>

namespace xor_in_a_ragged_warp {

MUSTER_FN int partner(muster::tile<32, muster::ragged> warp, int v) {
#ifdef MUSTER_MISTAKE
  return muster::shuffle_xor<1>(warp, v);
#else
  return muster::shuffle(warp, v, 0);
#endif
}

}  // namespace xor_in_a_ragged_warp
