// expect: muster: whose value is meant is missing
#include <muster/muster.hpp>

namespace broadcast_without_a_rank {

using dims = muster::placed_dims<muster::block_dims<64>, muster::cluster_dims<4>, false>;
using storage = muster::cluster_storage<float, muster::cluster_dims<4>, muster::block_dims<64>>;

MUSTER_FN float told(muster::cluster<dims> cluster, storage& fold, float v) {
#ifdef MUSTER_MISTAKE
  return muster::broadcast(cluster, fold, v);
#else
  return muster::broadcast(cluster, fold, v, 0);
#endif
}

}  // namespace broadcast_without_a_rank
