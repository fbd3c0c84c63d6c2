// expect: muster::only_warp<I>(block, body): I is missing
#include <muster/muster.hpp>

namespace only_warp_without_its_index {

MUSTER_FN void f(muster::block<muster::block_dims<64>> block, float& v) {
#ifdef MUSTER_MISTAKE
  muster::only_warp(block, [&](auto) { v += 1; });
#else
  muster::only_warp<0>(block, [&](auto) { v += 1; });
#endif
}

}  // namespace only_warp_without_its_index
