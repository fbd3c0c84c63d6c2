// expect: the block has no thread of this rank
#include <muster/muster.hpp>

namespace broadcast_of_a_thread_beyond_the_block {

using shape = muster::block_dims<100>;

MUSTER_FN int told(muster::block<shape> b, muster::block_storage<int, shape>& meeting, int v) {
#ifdef MUSTER_MISTAKE
  return muster::broadcast<100>(b, meeting, v);
#else
  return muster::broadcast<99>(b, meeting, v);
#endif
}

}  // namespace broadcast_of_a_thread_beyond_the_block
