// expect: muster::shared_of(cluster, own, rank): own is an object in shared memory
#include <muster/muster.hpp>

namespace shared_memory_of_another_block_by_address {

using dims = muster::placed_dims<muster::block_dims<64>, muster::cluster_dims<4>, false>;

MUSTER_FN int read(muster::cluster<dims> cluster, int& own) {
#ifdef MUSTER_MISTAKE
  return *muster::shared_of(cluster, &own, 1);
#else
  return muster::shared_of(cluster, own, 1);
#endif
}

}  // namespace shared_memory_of_another_block_by_address
