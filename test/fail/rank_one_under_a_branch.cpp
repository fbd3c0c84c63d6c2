// expect: muster: not every tile of the group has a member of this rank
#include <muster/muster.hpp>

namespace rank_one_under_a_branch {

MUSTER_FN void part(muster::tile<32> warp, int& v) {
#ifdef MUSTER_MISTAKE
  muster::branch(warp, v > 0, [&](auto some) { muster::only_rank<1>(some, [&](auto) { v = 1; }); });
#else
  muster::branch(warp, v > 0, [&](auto some) { muster::only_rank<0>(some, [&](auto) { v = 1; }); });
#endif
}

}  // namespace rank_one_under_a_branch
