// expect: muster: this_cluster(block), this_grid(block): the argument is the block that the kernel got
#include <muster/muster.hpp>

namespace cluster_of_a_tile {

using dims = muster::placed_dims<muster::block_dims<64>, muster::cluster_dims<4>, false>;

MUSTER_FN void wait(muster::block<dims> block) {
#ifdef MUSTER_MISTAKE
  muster::sync(muster::this_cluster(muster::this_warp(block)));
#else
  muster::sync(muster::this_cluster(block));
#endif
}

}  // namespace cluster_of_a_tile
