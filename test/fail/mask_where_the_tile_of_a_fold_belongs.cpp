// expect: muster: the first argument says who takes part
#include <muster/muster.hpp>

namespace mask_where_the_tile_of_a_fold_belongs {

MUSTER_FN int total([[maybe_unused]] muster::tile<32> warp, int v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(0xffffffffu, v, muster::plus{});
#else
  return muster::reduce(warp, v, muster::plus{});
#endif
}

}  // namespace mask_where_the_tile_of_a_fold_belongs
