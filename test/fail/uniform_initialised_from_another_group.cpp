// expect: muster: this value is uniform in another group
#include <muster/muster.hpp>

namespace uniform_initialised_from_another_group {

MUSTER_FN int total(muster::tile<32> warp, muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  muster::uniform<int, muster::tile<32>> const sum = muster::reduce(tile, v, muster::plus{});
#else
  muster::uniform<int, muster::tile<32>> const sum = muster::reduce(warp, v, muster::plus{});
#endif
  muster::sync(warp);
  muster::sync(tile);
  return sum;
}

}  // namespace uniform_initialised_from_another_group
