// expect(g++): is private within this context
// expect(clang++): calling a private constructor of class
// expect(nvcc): is inaccessible
#include <muster/muster.hpp>

namespace token_made_from_a_mask {

MUSTER_FN int total(muster::tile<32> warp, int v) {
#ifdef MUSTER_MISTAKE
  muster::tile<8> const tile(muster::lane_set{0xff});
#else
  auto const tile = muster::tiled_partition<8>(warp);
#endif
  return muster::reduce(tile, v, muster::plus{});
}

}  // namespace token_made_from_a_mask
