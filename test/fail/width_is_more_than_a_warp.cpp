// expect: muster::tile<Width>: a tile has 1, 2, 4, 8, 16 or 32 lanes
#include <muster/muster.hpp>

namespace width_is_more_than_a_warp {

MUSTER_FN int width_of() {
#ifdef MUSTER_MISTAKE
  return muster::tile<64>::width;
#else
  return muster::tile<32>::width;
#endif
}

}  // namespace width_is_more_than_a_warp
