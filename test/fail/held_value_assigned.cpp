// expect(g++): use of deleted function
// expect(clang++): deleted
// expect(nvcc): it is a deleted function
#include <muster/muster.hpp>

namespace held_value_assigned {

MUSTER_FN int total(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  auto sum = muster::reduce_to<0>(tile, v, muster::plus{});
  sum = muster::reduce_to<0>(tile, v, muster::maximum{});
#else
  auto const sum = muster::reduce_to<0>(tile, v, muster::maximum{});
#endif
  return sum.broadcast(tile);
}

}  // namespace held_value_assigned
