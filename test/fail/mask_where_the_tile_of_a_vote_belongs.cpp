// expect: muster: the first argument says who takes part
#include <muster/muster.hpp>

namespace mask_where_the_tile_of_a_vote_belongs {

MUSTER_FN bool some([[maybe_unused]] muster::tile<32> warp, int v) {
#ifdef MUSTER_MISTAKE
  return muster::any(0x00ffffff, v == 30);
#else
  return muster::any(warp, v == 30);
#endif
}

}  // namespace mask_where_the_tile_of_a_vote_belongs
