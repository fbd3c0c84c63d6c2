// expect: muster: match_any(tile, v), match_all(tile, v)
#include <muster/muster.hpp>

namespace match_without_a_value {

MUSTER_FN int f(muster::tile<32> warp, [[maybe_unused]] int key) {
#ifdef MUSTER_MISTAKE
  return muster::match_any(warp).count();
#else
  return muster::match_any(warp, key).count();
#endif
}

}  // namespace match_without_a_value
