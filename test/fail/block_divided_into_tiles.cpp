// expect: a block has warps first: tiled_partition<W>(this_warp(block))
#include <muster/muster.hpp>

namespace block_divided_into_tiles {

MUSTER_FN int rank_in_eight(muster::block<muster::block_dims<64>> block) {
#ifdef MUSTER_MISTAKE
  muster::tiled_partition<8>(block);
  return 0;
#else
  return muster::thread_rank(muster::tiled_partition<8>(muster::this_warp(block)));
#endif
}

}  // namespace block_divided_into_tiles
