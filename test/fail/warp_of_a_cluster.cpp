// expect: muster: this is asked of the block that the kernel got
#include <muster/muster.hpp>

namespace warp_of_a_cluster {

using dims = muster::placed_dims<muster::block_dims<64>, muster::cluster_dims<4>, false>;

MUSTER_FN int total(muster::block<dims> block, int v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(muster::this_warp(muster::this_cluster(block)), v, muster::plus{});
#else
  return muster::reduce(muster::this_warp(block), v, muster::plus{});
#endif
}

}  // namespace warp_of_a_cluster
