// expect: muster: a cluster has no reduce_to
#include <muster/muster.hpp>

namespace reduce_to_of_a_cluster {

using dims = muster::placed_dims<muster::block_dims<64>, muster::cluster_dims<4>, false>;
using storage = muster::cluster_storage<float, muster::cluster_dims<4>, muster::block_dims<64>>;

MUSTER_FN float total(muster::cluster<dims> cluster, storage& fold, float v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce_to<0>(cluster, fold, v, muster::plus{});
#else
  return muster::reduce(cluster, fold, v, muster::plus{});
#endif
}

}  // namespace reduce_to_of_a_cluster
