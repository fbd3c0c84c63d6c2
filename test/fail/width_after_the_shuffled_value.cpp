// expect: muster: what is shuffled is one value
#include <muster/muster.hpp>

namespace width_after_the_shuffled_value {

MUSTER_FN float f(muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  return muster::shuffle_down<4>(warp, v, 8);
#else
  return muster::shuffle_down<4>(muster::tiled_partition<8>(warp), v);
#endif
}

}  // namespace width_after_the_shuffled_value
