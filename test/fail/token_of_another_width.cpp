// expect(g++): constraints not satisfied
// expect(clang++): no matching function for call to
// expect(nvcc): no instance of function template
#include <muster/muster.hpp>

namespace token_of_another_width {

template <muster::tile_of<8> Tile>
MUSTER_FN int sum_of_eight(Tile tile, int v) {
  return muster::reduce(tile, v, muster::plus{});
}

MUSTER_FN int total(muster::tile<16> tile, int v) {
#ifdef MUSTER_MISTAKE
  return sum_of_eight(tile, v);
#else
  return sum_of_eight(muster::tiled_partition<8>(tile), v);
#endif
}

}  // namespace token_of_another_width
