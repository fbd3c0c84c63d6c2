// expect: muster::shared_of(cluster, own, rank): only blocks of one cluster reach each other's shared memory
#include <muster/muster.hpp>

namespace shared_memory_of_another_block_without_a_cluster {

using dims = muster::placed_dims<muster::block_dims<64>, muster::cluster_dims<4>, false>;

MUSTER_FN int read([[maybe_unused]] muster::block<dims> block, int& own) {
#ifdef MUSTER_MISTAKE
  return muster::shared_of(block, own, 1);
#else
  return muster::shared_of(muster::this_cluster(block), own, 1);
#endif
}

}  // namespace shared_memory_of_another_block_without_a_cluster
