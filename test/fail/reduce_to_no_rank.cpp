// expect: muster::reduce_to<R>(group, v, op): R is missing
#include <muster/muster.hpp>

namespace reduce_to_no_rank {

MUSTER_FN float f(muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce_to(warp, v, muster::plus{}).broadcast(warp);
#else
  return muster::reduce_to<0>(warp, v, muster::plus{}).broadcast(warp);
#endif
}

}  // namespace reduce_to_no_rank
