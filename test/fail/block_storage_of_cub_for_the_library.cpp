// expect: muster: this storage belongs to another library's block algorithms
#include <muster/muster.hpp>
#include <muster/policy/cub_block.hpp>

namespace block_storage_of_cub_for_the_library {

using shape = muster::block_dims<64>;

MUSTER_FN int running(muster::block<shape> b, [[maybe_unused]] muster::block_storage<int, shape>& own, [[maybe_unused]] muster::policy::cub_block_storage<int, shape>& theirs, int v) {
#ifdef MUSTER_MISTAKE
  return muster::inclusive_scan(b, theirs, v, muster::plus{});
#else
  return muster::inclusive_scan(b, own, v, muster::plus{});
#endif
}

}  // namespace block_storage_of_cub_for_the_library
