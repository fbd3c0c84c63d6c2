// expect: muster: branch(g, condition, then[, otherwise])
#include <muster/muster.hpp>

namespace branch_on_bodies_alone {

MUSTER_FN void f(muster::tile<32> warp, [[maybe_unused]] bool p) {
#ifdef MUSTER_MISTAKE
  muster::branch(warp, [](muster::tile<32>) {}, [](muster::tile<32>) {});
#else
  muster::branch(warp, p, [](muster::any_tile auto) {}, [](muster::any_tile auto) {});
#endif
}

}  // namespace branch_on_bodies_alone
