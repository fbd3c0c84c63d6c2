// expect: muster: the grid has no such algorithm
#include <muster/muster.hpp>

namespace fold_of_a_grid {

using dims = muster::placed_dims<muster::block_dims<64>, muster::no_cluster, true>;
using storage = muster::block_storage<float, muster::block_dims<64>>;

MUSTER_FN float total(muster::block<dims> block, storage& fold, float v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(muster::this_grid(block), fold, v, muster::plus{});
#else
  return muster::reduce(block, fold, v, muster::plus{});
#endif
}

}  // namespace fold_of_a_grid
