// expect: muster: sync(group) takes the group and nothing else
#include <muster/muster.hpp>

namespace barrier_with_an_argument {

MUSTER_FN void f(muster::tile<32> warp, [[maybe_unused]] float* data) {
#ifdef MUSTER_MISTAKE
  muster::sync(warp, data);
#else
  muster::sync(warp);
#endif
}

}  // namespace barrier_with_an_argument
