// expect: muster: not every tile of the group has a member of this rank
#include <muster/muster.hpp>

namespace reduce_to_a_rank_beyond_the_tile {

MUSTER_FN int total(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce_to<8>(tile, v, muster::plus{}).broadcast(tile);
#else
  return muster::reduce_to<7>(tile, v, muster::plus{}).broadcast(tile);
#endif
}

}  // namespace reduce_to_a_rank_beyond_the_tile
