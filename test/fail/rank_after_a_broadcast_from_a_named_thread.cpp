// expect: muster: broadcast<Rank>(group, storage, v): the rank stands in the type
#include <muster/muster.hpp>

namespace rank_after_a_broadcast_from_a_named_thread {

using storage = muster::block_storage<float, muster::block_dims<64>>;

MUSTER_FN float f(muster::block<muster::block_dims<64>> block, [[maybe_unused]] storage& s, float v) {
#ifdef MUSTER_MISTAKE
  return muster::broadcast<0>(block, s, v, 3);
#else
  return muster::broadcast<0>(block, s, v);
#endif
}

}  // namespace rank_after_a_broadcast_from_a_named_thread
