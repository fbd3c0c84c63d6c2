// expect: muster: the first argument says who takes part
#include <muster/muster.hpp>

namespace only_of_a_block {

MUSTER_FN void mark(muster::block<muster::block_dims<64>> block, int* out) {
#ifdef MUSTER_MISTAKE
  muster::only<muster::lane_set{0xff}>(block, [&](auto) { out[1] = 1; });
#else
  muster::only<muster::lane_set{0xff}>(muster::this_warp(block), [&](auto) { out[1] = 1; });
#endif
}

}  // namespace only_of_a_block
