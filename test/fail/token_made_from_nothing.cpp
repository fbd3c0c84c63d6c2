// expect(g++): no matching function for call to
// expect(clang++): no matching constructor for initialization of
// expect(nvcc): no default constructor exists for class "muster::v1::tile<8
#include <muster/muster.hpp>

namespace token_made_from_nothing {

MUSTER_FN int total(int v) {
#ifdef MUSTER_MISTAKE
  muster::tile<8> tile;
#else
  auto const tile = muster::tiled_partition<8>(muster::this_warp(muster::this_block<muster::block_dims<64>>()));
#endif
  return muster::reduce(tile, v, muster::plus{});
}

}  // namespace token_made_from_nothing
