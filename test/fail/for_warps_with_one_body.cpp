// expect: muster: for_warps(block, full, last)
#include <muster/muster.hpp>

namespace for_warps_with_one_body {

MUSTER_FN void f(muster::block<muster::block_dims<80>> block, float& v) {
#ifdef MUSTER_MISTAKE
  muster::for_warps(block, [&](auto) { v += 1; });
#else
  muster::for_warps(block, [&](auto) { v += 1; }, [&](auto) { v += 1; });
#endif
}

}  // namespace for_warps_with_one_body
