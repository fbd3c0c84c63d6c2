// expect: muster: this value is uniform in each tile only, and the token names the lanes of several tiles
#include <muster/muster.hpp>

namespace while_on_a_vote_of_several_tiles {

MUSTER_FN void halve(muster::tile<8> tile, int& v) {
#ifdef MUSTER_MISTAKE
  while (muster::any(tile, v > 1)) v /= 2;
#else
  muster::loop_while(tile, [&](auto own) { return muster::any(own, v > 1); }, [&](auto) { v /= 2; });
#endif
}

}  // namespace while_on_a_vote_of_several_tiles
