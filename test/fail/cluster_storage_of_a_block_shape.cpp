// expect: muster::cluster_storage<T, Cluster, Dims>: Cluster is cluster_dims<X, Y, Z>
#include <muster/muster.hpp>

namespace cluster_storage_of_a_block_shape {

struct shared {
#ifdef MUSTER_MISTAKE
  muster::cluster_storage<float, muster::block_dims<64>, muster::block_dims<64>> fold;
#else
  muster::cluster_storage<float, muster::cluster_dims<4>, muster::block_dims<64>> fold;
#endif
};

}  // namespace cluster_storage_of_a_block_shape
