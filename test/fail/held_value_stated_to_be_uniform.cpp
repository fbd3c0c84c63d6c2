// expect: muster: a uniform or held_by speaks of the members of its own group and does not travel as such
#include <muster/muster.hpp>

namespace held_value_stated_to_be_uniform {

MUSTER_FN int total(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::as_uniform(tile, muster::reduce_to<0>(tile, v, muster::plus{})).value();
#else
  return muster::reduce_to<0>(tile, v, muster::plus{}).broadcast(tile).value();
#endif
}

}  // namespace held_value_stated_to_be_uniform
