// expect: muster: the first argument says who takes part
#include <muster/muster.hpp>

namespace each_tile_of_a_block {

MUSTER_FN void mark(muster::block<muster::block_dims<64>> block, int* out) {
#ifdef MUSTER_MISTAKE
  muster::each_tile(block, [&](auto) { out[1] = 1; });
#else
  muster::each_tile(muster::this_warp(block), [&](auto) { out[1] = 1; });
#endif
}

}  // namespace each_tile_of_a_block
