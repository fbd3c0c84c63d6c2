// expect: muster: this policy calls another library's block algorithms
#include <muster/muster.hpp>
#include <muster/policy/cub_block.hpp>

namespace block_storage_of_the_library_for_cub {

using shape = muster::block_dims<64>;

MUSTER_FN int total(muster::block<shape> b, [[maybe_unused]] muster::block_storage<int, shape>& own, [[maybe_unused]] muster::policy::cub_block_storage<int, shape>& theirs, int v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(muster::policy::cub, b, own, v, muster::plus{});
#else
  return muster::reduce(muster::policy::cub, b, theirs, v, muster::plus{});
#endif
}

}  // namespace block_storage_of_the_library_for_cub
