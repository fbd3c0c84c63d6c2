// expect: muster: the operator of the fold is missing
#include <muster/muster.hpp>

namespace fold_without_an_operator {

using storage = muster::block_storage<float, muster::block_dims<64>>;

MUSTER_FN float total(muster::block<muster::block_dims<64>> block, storage& fold, float v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(block, fold, v);
#else
  return muster::reduce(block, fold, v, muster::plus{});
#endif
}

}  // namespace fold_without_an_operator
