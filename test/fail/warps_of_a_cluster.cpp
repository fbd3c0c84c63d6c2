// expect: muster: this is asked of the block that the kernel got
#include <muster/muster.hpp>

namespace warps_of_a_cluster {

using dims = muster::placed_dims<muster::block_dims<64>, muster::cluster_dims<4>, false>;

MUSTER_FN void mark(muster::block<dims> block, int* out) {
#ifdef MUSTER_MISTAKE
  muster::only_warp<0>(muster::this_cluster(block), [&](auto) { out[0] = 1; });
#else
  muster::only_warp<0>(block, [&](auto) { out[0] = 1; });
#endif
}

}  // namespace warps_of_a_cluster
