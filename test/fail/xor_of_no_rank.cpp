// expect: muster::shuffle_xor<X>(tile, v): xor leaves the tile
#include <muster/muster.hpp>

namespace xor_of_no_rank {

MUSTER_FN int partner(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::shuffle_xor<-1>(tile, v);
#else
  return muster::shuffle_xor<1>(tile, v);
#endif
}

}  // namespace xor_of_no_rank
