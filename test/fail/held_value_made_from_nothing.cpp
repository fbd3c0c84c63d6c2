// expect(g++): no matching function for call to
// expect(clang++): no matching constructor for initialization of
// expect(nvcc): no default constructor exists for class
#include <muster/muster.hpp>

namespace held_value_made_from_nothing {

MUSTER_FN int total(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  muster::held_by<0, int, muster::tile<8>> sum;
#else
  auto const sum = muster::reduce_to<0>(tile, v, muster::plus{});
#endif
  return sum.broadcast(tile) + v;
}

}  // namespace held_value_made_from_nothing
