// expect: muster: the first argument says who takes part
#include <muster/muster.hpp>

namespace mask_where_the_tile_of_a_ballot_belongs {

MUSTER_FN int some([[maybe_unused]] muster::tile<32> warp, int v) {
#ifdef MUSTER_MISTAKE
  return muster::ballot(0xffffffffu, v == 30);
#else
  return muster::ballot(warp, v == 30).count();
#endif
}

}  // namespace mask_where_the_tile_of_a_ballot_belongs
