// expect: muster::only<S>(g, body): S names lanes of the warp, and which lanes this group has is known at run time only
#include <muster/muster.hpp>

namespace only_of_an_own_tile {

MUSTER_FN void part(muster::tile<8, muster::own_tile<8>> tile) {
#ifdef MUSTER_MISTAKE
  muster::only<muster::lane_set{1}>(tile, [](auto one) { muster::sync(one); });
#else
  muster::only_rank<0>(tile, [](auto one) { muster::sync(one); });
#endif
}

}  // namespace only_of_an_own_tile
