// expect: muster::copy_async(g, to, from, count): where the values go comes first, then where they are
#include <muster/muster.hpp>

namespace copy_to_what_is_const {

inline void copy(muster::block<muster::block_dims<64>> block, float* shared, float const* from) {
#ifdef MUSTER_MISTAKE
  muster::copy_async(block, from, shared, 10).wait(block);
#else
  muster::copy_async(block, shared, from, 10).wait(block);
#endif
}

}  // namespace copy_to_what_is_const
