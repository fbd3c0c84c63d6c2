// expect: muster: this value is uniform in each tile only, and the token names the lanes of several tiles
#include <muster/muster.hpp>

namespace comparison_of_a_number_with_several_tiles {

MUSTER_FN bool large(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return 5 < muster::reduce(tile, v, muster::plus{});
#else
  return (5 < muster::reduce(tile, v, muster::plus{}).value());
#endif
}

}  // namespace comparison_of_a_number_with_several_tiles
