// expect: muster: this value is uniform in each tile only, and the token names the lanes of several tiles
#include <muster/muster.hpp>

namespace and_of_several_tiles_with_a_bool {

MUSTER_FN bool both(muster::tile<8> tile, bool p, bool q) {
#ifdef MUSTER_MISTAKE
  return muster::any(tile, p) && q;
#else
  return muster::any(tile, p).value() && q;
#endif
}

}  // namespace and_of_several_tiles_with_a_bool
