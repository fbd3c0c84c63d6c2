// expect: muster: the first argument says who takes part
#include <muster/muster.hpp>

namespace mask_where_the_tile_to_wait_for_belongs {

MUSTER_FN void wait([[maybe_unused]] muster::tile<32> warp) {
#ifdef MUSTER_MISTAKE
  muster::sync(0xffffffffu);
#else
  muster::sync(warp);
#endif
}

}  // namespace mask_where_the_tile_to_wait_for_belongs
