// expect: muster: whose value is meant stands in the type or after the value
#include <muster/muster.hpp>

namespace rank_of_a_tile_is_not_named {

MUSTER_FN float f(muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  return muster::broadcast(warp, v);
#else
  return muster::broadcast<0>(warp, v);
#endif
}

}  // namespace rank_of_a_tile_is_not_named
