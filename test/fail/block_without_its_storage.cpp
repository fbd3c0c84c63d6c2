// expect: muster: the warps of a block meet in shared memory
#include <muster/muster.hpp>

namespace block_without_its_storage {

using shape = muster::block_dims<64>;

MUSTER_FN float total(muster::block<shape> b, [[maybe_unused]] muster::block_storage<float, shape>& meeting, float v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(b, v, muster::plus{});
#else
  return muster::reduce(b, meeting, v, muster::plus{});
#endif
}

}  // namespace block_without_its_storage
