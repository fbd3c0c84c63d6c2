// expect: muster: the first argument says who takes part
#include <muster/muster.hpp>

namespace mask_where_the_tile_of_a_scan_belongs {

MUSTER_FN float f([[maybe_unused]] muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  return muster::inclusive_scan(0xffffffffu, v, muster::plus{});
#else
  return muster::inclusive_scan(warp, v, muster::plus{});
#endif
}

}  // namespace mask_where_the_tile_of_a_scan_belongs
