// expect: muster::only_warp<Index>: the block has no warp of this index
#include <muster/muster.hpp>

namespace warp_that_the_block_does_not_have {

MUSTER_FN void part(muster::block<muster::block_dims<256>> block) {
#ifdef MUSTER_MISTAKE
  muster::only_warp<9>(block, [](auto warp) { muster::sync(warp); });
#else
  muster::only_warp<7>(block, [](auto warp) { muster::sync(warp); });
#endif
}

}  // namespace warp_that_the_block_does_not_have
