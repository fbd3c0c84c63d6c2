// expect: muster::this_block<Dims>(): Dims is the shape of the launch
#include <muster/muster.hpp>

namespace block_of_a_type_of_values {

MUSTER_FN int f() {
#ifdef MUSTER_MISTAKE
  return muster::thread_rank(muster::this_block<float>());
#else
  return muster::thread_rank(muster::this_block<muster::block_dims<256>>());
#endif
}

}  // namespace block_of_a_type_of_values
