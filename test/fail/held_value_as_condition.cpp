// expect: only the member of this rank has the value, so it does not convert
#include <muster/muster.hpp>

namespace held_value_as_condition {

MUSTER_FN void total(muster::tile<8> tile, int& v) {
#ifdef MUSTER_MISTAKE
  if (muster::reduce_to<0>(tile, v, muster::plus{})) v = 0;
#else
  muster::branch(tile, muster::reduce_to<0>(tile, v, muster::plus{}).broadcast(tile) != muster::constant<0>{}, [&](auto) { v = 0; });
#endif
}

}  // namespace held_value_as_condition
