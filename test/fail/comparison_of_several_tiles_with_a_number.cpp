// expect: muster: this value is uniform in each tile only, and the token names the lanes of several tiles
#include <muster/muster.hpp>

namespace comparison_of_several_tiles_with_a_number {

MUSTER_FN bool large(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(tile, v, muster::plus{}) > 5;
#else
  return muster::reduce(tile, v, muster::plus{}).value() > 5;
#endif
}

}  // namespace comparison_of_several_tiles_with_a_number
