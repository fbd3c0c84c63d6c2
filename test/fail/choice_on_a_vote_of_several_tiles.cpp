// expect: muster: this value is uniform in each tile only, and the token names the lanes of several tiles
#include <muster/muster.hpp>

namespace choice_on_a_vote_of_several_tiles {

MUSTER_FN int total(muster::tile<8> tile, bool p, int v) {
#ifdef MUSTER_MISTAKE
  return muster::all(tile, p) ? v : 0;
#else
  return muster::all(tile, p).value() ? v : 0;
#endif
}

}  // namespace choice_on_a_vote_of_several_tiles
