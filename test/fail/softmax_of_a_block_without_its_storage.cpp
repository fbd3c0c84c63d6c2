// expect: muster: the warps of a block meet in shared memory
#include <muster/muster.hpp>

namespace softmax_of_a_block_without_its_storage {

using shape = muster::block_dims<16, 16>;

MUSTER_FN void soften(muster::block<shape> b, [[maybe_unused]] muster::block_storage<float, shape>& meeting, float (&values)[4]) {
#ifdef MUSTER_MISTAKE
  muster::softmax(b, values);
#else
  muster::softmax(b, meeting, values);
#endif
}

}  // namespace softmax_of_a_block_without_its_storage
