// expect: muster: the blocks of a cluster meet in shared memory
#include <muster/muster.hpp>

namespace broadcast_of_a_cluster_without_its_storage {

using dims = muster::placed_dims<muster::block_dims<64>, muster::cluster_dims<4>, false>;
using storage = muster::cluster_storage<float, muster::cluster_dims<4>, muster::block_dims<64>>;

MUSTER_FN float told(muster::cluster<dims> cluster, [[maybe_unused]] storage& fold, float v) {
#ifdef MUSTER_MISTAKE
  return muster::broadcast<0>(cluster, v);
#else
  return muster::broadcast<0>(cluster, fold, v);
#endif
}

}  // namespace broadcast_of_a_cluster_without_its_storage
