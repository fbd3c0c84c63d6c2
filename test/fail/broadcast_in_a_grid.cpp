// expect: muster: the grid has no such algorithm
#include <muster/muster.hpp>

namespace broadcast_in_a_grid {

using dims = muster::placed_dims<muster::block_dims<64>, muster::no_cluster, true>;
using storage = muster::block_storage<float, muster::block_dims<64>>;

MUSTER_FN float told(muster::block<dims> block, storage& fold, float v) {
#ifdef MUSTER_MISTAKE
  return muster::broadcast<0>(muster::this_grid(block), fold, v);
#else
  return muster::broadcast<0>(block, fold, v);
#endif
}

}  // namespace broadcast_in_a_grid
