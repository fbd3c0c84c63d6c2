// expect: muster: copy_async(g, to, from, count): where the values go
#include <muster/muster.hpp>

namespace copy_without_a_count {

inline void copy(muster::block<muster::block_dims<64>> block, float* shared, float const* from) {
#ifdef MUSTER_MISTAKE
  muster::copy_async(block, shared, from);
#else
  muster::copy_async(block, shared, from, 10).wait(block);
#endif
}

}  // namespace copy_without_a_count
