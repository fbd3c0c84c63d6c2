// expect: only the member of this rank has the value
#include <muster/muster.hpp>

namespace held_value_asked_for_its_value {

MUSTER_FN void mark(muster::tile<32> warp, int* out) {
#ifdef MUSTER_MISTAKE
  out[1] = muster::reduce_to<0>(warp, out[0], muster::plus{}).value();
#else
  out[1] = muster::reduce_to<0>(warp, out[0], muster::plus{}).broadcast(warp);
#endif
}

}  // namespace held_value_asked_for_its_value
