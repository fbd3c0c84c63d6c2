// expect: muster: only_rank<R>(g, body), each_tile(g, body) and only_warp<I>(block, body) take one body
#include <muster/muster.hpp>

namespace each_tile_with_its_state_after_the_body {

MUSTER_FN void f(muster::tile<8> tile, float& v) {
#ifdef MUSTER_MISTAKE
  muster::each_tile(tile, [](auto, float& x) { x += 1; }, v);
#else
  muster::each_tile(tile, muster::with(v), [](auto, float& x) { x += 1; });
#endif
}

}  // namespace each_tile_with_its_state_after_the_body
