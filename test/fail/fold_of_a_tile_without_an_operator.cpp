// expect: muster: the operator of the fold is missing
#include <muster/muster.hpp>

namespace fold_of_a_tile_without_an_operator {

MUSTER_FN float f(muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(warp, v);
#else
  return muster::reduce(warp, v, muster::plus{});
#endif
}

}  // namespace fold_of_a_tile_without_an_operator
