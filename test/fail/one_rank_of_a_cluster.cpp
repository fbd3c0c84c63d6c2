// expect: muster::only_rank<R>(group, body): the group is a tile or a block
#include <muster/muster.hpp>

namespace one_rank_of_a_cluster {

using dims = muster::placed_dims<muster::block_dims<64>, muster::cluster_dims<4>, false>;

MUSTER_FN void mark(muster::cluster<dims> cluster, int* out) {
#ifdef MUSTER_MISTAKE
  muster::only_rank<0>(cluster, [&](auto) { out[0] = 1; });
#else
  if (muster::thread_rank(cluster) == 0) out[0] = 1;
#endif
}

}  // namespace one_rank_of_a_cluster
