// expect: muster: a group needs at least one lane
#include <muster/muster.hpp>

namespace only_of_nobody {

MUSTER_FN void nobody(muster::tile<32> warp) {
#ifdef MUSTER_MISTAKE
  muster::only<muster::lane_set{}>(warp, [](auto none) { muster::sync(none); });
#else
  muster::only<muster::lane_set{1}>(warp, [](auto one) { muster::sync(one); });
#endif
}

}  // namespace only_of_nobody
