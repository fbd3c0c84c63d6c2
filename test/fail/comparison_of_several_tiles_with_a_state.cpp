// expect: muster: this value is uniform in each tile only, and the token names the lanes of several tiles
#include <muster/muster.hpp>

namespace comparison_of_several_tiles_with_a_state {

enum class colour { red, green };

MUSTER_FN bool is_red(muster::tile<8> tile, colour v) {
#ifdef MUSTER_MISTAKE
  return muster::broadcast<0>(tile, v) == colour::red;
#else
  return muster::broadcast<0>(tile, v).value() == colour::red;
#endif
}

}  // namespace comparison_of_several_tiles_with_a_state
