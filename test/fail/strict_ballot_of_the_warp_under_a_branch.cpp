// expect: muster (strict scopes): a body captures nothing
// flags: -DMUSTER_STRICT_SCOPES
#include <muster/muster.hpp>

namespace strict_ballot_of_the_warp_under_a_branch {

MUSTER_FN void vote(muster::tile<32> warp, int& v) {
#ifdef MUSTER_MISTAKE
  muster::branch(warp, v < 4, [&](auto) { v = muster::ballot(warp, v != 2).count(); });
#else
  muster::branch(warp, v < 4, muster::with(v), [](auto part, int& x) { x = muster::ballot(part, x != 2).count(); });
#endif
}

}  // namespace strict_ballot_of_the_warp_under_a_branch
