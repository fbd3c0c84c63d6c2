// expect(g++): is private within this context
// expect(clang++): constructor
// expect(nvcc): constructor
#include <muster/muster.hpp>

namespace token_made_by_braces {

MUSTER_FN int total(muster::tile<32> warp, int v) {
#ifdef MUSTER_MISTAKE
  muster::tile<8> const tile = {muster::all_lanes};
#else
  muster::tile<8> const tile = {muster::tiled_partition<8>(warp)};
#endif
  return muster::reduce(tile, v, muster::plus{});
}

}  // namespace token_made_by_braces
