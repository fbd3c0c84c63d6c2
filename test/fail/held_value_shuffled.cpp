// expect: muster: a uniform or held_by speaks of the members of its own group and does not travel as such
#include <muster/muster.hpp>

namespace held_value_shuffled {

MUSTER_FN int total(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::shuffle(tile, muster::reduce_to<0>(tile, v, muster::plus{}), 1).broadcast(tile);
#else
  return muster::shuffle(tile, muster::reduce_to<0>(tile, v, muster::plus{}).broadcast(tile).value(), 1);
#endif
}

}  // namespace held_value_shuffled
