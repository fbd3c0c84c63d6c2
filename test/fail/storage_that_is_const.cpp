// expect: muster: the algorithm writes to its storage, and this one is const
#include <muster/muster.hpp>

namespace storage_that_is_const {

using dims = muster::placed_dims<muster::block_dims<64>, muster::cluster_dims<4>, false>;
using storage = muster::cluster_storage<float, muster::cluster_dims<4>, muster::block_dims<64>>;

MUSTER_FN float total(muster::cluster<dims> cluster, storage& fold, float v) {
#ifdef MUSTER_MISTAKE
  storage const& unwritten = fold;
  return muster::reduce(cluster, unwritten, v, muster::plus{});
#else
  return muster::reduce(cluster, fold, v, muster::plus{});
#endif
}

}  // namespace storage_that_is_const
