// expect: muster::rank_set: a set of ranks is not a number
#include <muster/muster.hpp>

namespace ballot_as_a_mask {

MUSTER_FN int votes(muster::tile<8> tile, bool p) {
#ifdef MUSTER_MISTAKE
  unsigned const mask = muster::ballot(tile, p);
#else
  int const mask = muster::ballot(tile, p).count();
#endif
  return mask != 0;
}

}  // namespace ballot_as_a_mask
