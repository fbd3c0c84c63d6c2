// expect: muster (strict scopes): a body captures nothing
// flags: -DMUSTER_STRICT_SCOPES
#include <muster/muster.hpp>

namespace strict_barrier_in_a_narrowed_scope {

MUSTER_FN void wait(muster::block<muster::block_dims<64>> block, int& v) {
#ifdef MUSTER_MISTAKE
  muster::only_warp<0>(block, muster::with(v), [=](auto, int& x) { x = 1; muster::sync(block); });
#else
  muster::only_warp<0>(block, muster::with(v), [](auto warp, int& x) { x = 1; muster::sync(warp); });
#endif
  muster::sync(block);
}

}  // namespace strict_barrier_in_a_narrowed_scope
