// expect: muster::only_rank<R>(g, body): R is missing
#include <muster/muster.hpp>

namespace only_rank_without_its_rank {

MUSTER_FN void f(muster::tile<32> warp, float& v) {
#ifdef MUSTER_MISTAKE
  muster::only_rank(warp, [&](auto) { v += 1; });
#else
  muster::only_rank<0>(warp, [&](auto) { v += 1; });
#endif
}

}  // namespace only_rank_without_its_rank
