// expect: muster: shift_up<D>(tile, v, fill), shift_down<D>(tile, v, fill)
#include <muster/muster.hpp>

namespace shift_without_a_fill {

MUSTER_FN float f(muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  return muster::shift_up<1>(warp, v);
#else
  return muster::shift_up<1>(warp, v, 0.0f);
#endif
}

}  // namespace shift_without_a_fill
