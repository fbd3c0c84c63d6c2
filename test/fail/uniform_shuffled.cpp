// expect: muster: a uniform or held_by speaks of the members of its own group and does not travel as such
#include <muster/muster.hpp>

namespace uniform_shuffled {

MUSTER_FN int total(muster::tile<32> warp, muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::shuffle(warp, muster::reduce(tile, v, muster::plus{}), 9);
#else
  return muster::shuffle(warp, muster::reduce(tile, v, muster::plus{}).value(), 9);
#endif
}

}  // namespace uniform_shuffled
