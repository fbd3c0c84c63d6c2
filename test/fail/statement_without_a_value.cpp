// expect: muster: match_any(tile, v), match_all(tile, v), as_uniform(tile, v): one value
#include <muster/muster.hpp>

namespace statement_without_a_value {

MUSTER_FN float f(muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  muster::as_uniform(warp);
  return v;
#else
  return muster::as_uniform(warp, v);
#endif
}

}  // namespace statement_without_a_value
