// expect: muster: this value is uniform in each tile only, and the token names the lanes of several tiles
#include <muster/muster.hpp>

namespace if_on_a_vote_of_several_tiles {

MUSTER_FN void total(muster::tile<8> tile, bool p, int& v) {
#ifdef MUSTER_MISTAKE
  if (muster::any(tile, p)) v = muster::reduce(tile, v, muster::plus{});
#else
  muster::branch(tile, muster::any(tile, p), [&](auto own) { v = muster::reduce(own, v, muster::plus{}); });
#endif
}

}  // namespace if_on_a_vote_of_several_tiles
