// expect: muster::shuffle_up/shuffle_down/shift_up/shift_down<D>(tile, v): the distance reaches beyond every member
// expect(g++): delta_is_below_tile_size<-1, 8>
// expect(clang++): delta_is_below_tile_size<-1, 8>
// expect(nvcc): Asked=-1, SmallestTile=8
#include <muster/muster.hpp>

namespace up_by_a_negative_distance {

MUSTER_FN int previous(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::shuffle_up<-1>(tile, v);
#else
  return muster::shuffle_up<1>(tile, v);
#endif
}

}  // namespace up_by_a_negative_distance
