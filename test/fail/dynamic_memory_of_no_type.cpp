// expect: muster::dynamic_shared<T>(block): T is missing
#include <muster/muster.hpp>

namespace dynamic_memory_of_no_type {

MUSTER_FN float* f(muster::block<muster::block_dims<64>> block) {
#ifdef MUSTER_MISTAKE
  return static_cast<float*>(muster::dynamic_shared(block));
#else
  return muster::dynamic_shared<float>(block);
#endif
}

}  // namespace dynamic_memory_of_no_type
