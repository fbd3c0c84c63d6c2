// expect: muster::held_by: the value is held in another group
#include <muster/muster.hpp>

namespace held_value_broadcast_in_another_group {

MUSTER_FN int total(muster::tile<32> warp, muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  auto const sum = muster::reduce_to<0>(tile, v, muster::plus{}).broadcast(warp);
#else
  auto const sum = muster::reduce_to<0>(tile, v, muster::plus{}).broadcast(tile);
#endif
  muster::sync(warp);
  return sum;
}

}  // namespace held_value_broadcast_in_another_group
