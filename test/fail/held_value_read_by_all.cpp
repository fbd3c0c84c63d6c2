// expect: only the member of this rank has the value, so it does not convert
#include <muster/muster.hpp>

namespace held_value_read_by_all {

MUSTER_FN int total(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce_to<0>(tile, v, muster::plus{});
#else
  return muster::reduce_to<0>(tile, v, muster::plus{}).broadcast(tile);
#endif
}

}  // namespace held_value_read_by_all
