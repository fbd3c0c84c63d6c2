// expect: muster: this value is uniform in each tile only, and the token names the lanes of several tiles
#include <muster/muster.hpp>

namespace comparison_of_several_tiles_with_nullptr {

MUSTER_FN bool none(muster::tile<8> tile, int* v) {
#ifdef MUSTER_MISTAKE
  return muster::broadcast<0>(tile, v) == nullptr;
#else
  return muster::broadcast<0>(tile, v).value() == nullptr;
#endif
}

}  // namespace comparison_of_several_tiles_with_nullptr
