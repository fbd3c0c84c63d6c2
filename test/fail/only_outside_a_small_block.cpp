// expect: muster::only<S>(g, body): S names lanes that the group does not have
#include <muster/muster.hpp>

namespace only_outside_a_small_block {

MUSTER_FN void part(muster::block<muster::block_dims<11>> block) {
#ifdef MUSTER_MISTAKE
  muster::only<muster::lane_set{0xffff}>(muster::this_warp(block), [](auto some) { muster::sync(some); });
#else
  muster::only<muster::lane_set{0x7ff}>(muster::this_warp(block), [](auto some) { muster::sync(some); });
#endif
}

}  // namespace only_outside_a_small_block
