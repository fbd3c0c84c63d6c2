// expect: muster: sync(group) takes the group and nothing else
#include <muster/muster.hpp>

namespace barrier_of_a_block_with_an_argument {

MUSTER_FN void f(muster::block<muster::block_dims<64>> block) {
#ifdef MUSTER_MISTAKE
  muster::sync(block, 1);
#else
  muster::sync(block);
#endif
}

}  // namespace barrier_of_a_block_with_an_argument
