// expect: a tile of several warps has 64, 128, 256, 512 or 1024 threads
#include <muster/muster.hpp>
#include <muster/policy/cooperative_groups_block.hpp>

namespace block_of_100_threads_for_cooperative_groups {

#ifdef MUSTER_MISTAKE
using shape = muster::block_dims<100>;
#else
using shape = muster::block_dims<128>;
#endif

MUSTER_FN int total(muster::block<shape> b, muster::policy::cooperative_groups_block_storage<int, shape>& theirs, int v) {
  return muster::reduce(muster::policy::cooperative_groups, b, theirs, v, muster::plus{});
}

}  // namespace block_of_100_threads_for_cooperative_groups
