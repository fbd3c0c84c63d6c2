// expect: muster: the first argument says who takes part
#include <muster/muster.hpp>

namespace value_where_the_tile_belongs {

MUSTER_FN int next([[maybe_unused]] muster::tile<32> warp, int v) {
#ifdef MUSTER_MISTAKE
  return v + muster::shuffle_down<16>(v, 32);
#else
  return v + muster::shuffle_down<16>(warp, v);
#endif
}

}  // namespace value_where_the_tile_belongs
