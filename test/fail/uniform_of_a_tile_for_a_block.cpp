// expect: muster: this value is uniform in another group
#include <muster/muster.hpp>

namespace uniform_of_a_tile_for_a_block {

MUSTER_FN bool some(muster::block<muster::block_dims<32>> block, bool p) {
#ifdef MUSTER_MISTAKE
  muster::uniform<bool, muster::block<muster::block_dims<32>>> const vote = muster::any(muster::this_warp(block), p);
#else
  auto const vote = muster::any(muster::this_warp(block), p);
#endif
  return vote;
}

}  // namespace uniform_of_a_tile_for_a_block
