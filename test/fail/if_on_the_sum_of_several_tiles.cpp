// expect: muster: this value is uniform in each tile only, and the token names the lanes of several tiles
#include <muster/muster.hpp>

namespace if_on_the_sum_of_several_tiles {

MUSTER_FN void total(muster::tile<8> tile, int& v) {
#ifdef MUSTER_MISTAKE
  if (muster::reduce(tile, v, muster::plus{})) v = 0;
#else
  if (muster::reduce(tile, v, muster::plus{}).value() != 0) v = 0;
#endif
}

}  // namespace if_on_the_sum_of_several_tiles
