// expect: muster: a group needs at least one lane
#include <muster/muster.hpp>

namespace tile_of_nobody {

MUSTER_FN int width_of() {
#ifdef MUSTER_MISTAKE
  return muster::tile<8, muster::lanes<muster::lane_set{}>>::width;
#else
  return muster::tile<8, muster::lanes<muster::lane_set{1}>>::width;
#endif
}

}  // namespace tile_of_nobody
