// expect: reduce_to<Rank>, only_rank<Rank>: the cluster has no thread of this rank
#include <muster/muster.hpp>

namespace reduce_to_beyond_the_cluster {

using dims = muster::placed_dims<muster::block_dims<64>, muster::cluster_dims<4>, false>;
using storage = muster::cluster_storage<float, muster::cluster_dims<4>, muster::block_dims<64>>;

MUSTER_FN float total(muster::cluster<dims> cluster, storage& fold, float v) {
#ifdef MUSTER_MISTAKE
  return muster::broadcast(cluster, fold, muster::reduce_to<256>(cluster, fold, v, muster::plus{}));
#else
  return muster::broadcast(cluster, fold, muster::reduce_to<255>(cluster, fold, v, muster::plus{}));
#endif
}

}  // namespace reduce_to_beyond_the_cluster
