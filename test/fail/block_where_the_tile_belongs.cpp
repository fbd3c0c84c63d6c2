// expect: muster: the first argument says who takes part
#include <muster/muster.hpp>

namespace block_where_the_tile_belongs {

MUSTER_FN int leader(muster::block<muster::block_dims<64>> block, int v) {
#ifdef MUSTER_MISTAKE
  return muster::shuffle(block, v, 0);
#else
  return muster::shuffle(muster::this_warp(block), v, 0);
#endif
}

}  // namespace block_where_the_tile_belongs
