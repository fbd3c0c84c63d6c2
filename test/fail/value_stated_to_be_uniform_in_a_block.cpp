// expect: muster: the first argument says who takes part
#include <muster/muster.hpp>

namespace value_stated_to_be_uniform_in_a_block {

MUSTER_FN int stated(muster::block<muster::block_dims<64>> block, int v) {
#ifdef MUSTER_MISTAKE
  return muster::as_uniform(block, v);
#else
  return muster::as_uniform(muster::this_warp(block), v);
#endif
}

}  // namespace value_stated_to_be_uniform_in_a_block
