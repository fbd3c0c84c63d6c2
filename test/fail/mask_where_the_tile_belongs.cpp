// expect: muster: the first argument says who takes part
#include <muster/muster.hpp>

namespace mask_where_the_tile_belongs {

MUSTER_FN int leader([[maybe_unused]] muster::tile<32> warp, int v) {
#ifdef MUSTER_MISTAKE
  return muster::shuffle(0xffffffffu, v, 0);
#else
  return muster::shuffle(warp, v, 0);
#endif
}

}  // namespace mask_where_the_tile_belongs
