// expect: muster::pending_copy::wait(g): the copy was begun by another group
#include <muster/muster.hpp>

namespace copy_waited_for_by_another_group {

inline void copy(muster::block<muster::block_dims<64>> block, float* shared, float const* from) {
  auto const copy = muster::copy_async(block, shared, from, 10);
#ifdef MUSTER_MISTAKE
  copy.wait(muster::this_warp(block));
#else
  copy.wait(block);
#endif
}

}  // namespace copy_waited_for_by_another_group
