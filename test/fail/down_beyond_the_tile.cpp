// expect: muster::shuffle_up/shuffle_down/shift_up/shift_down<D>(tile, v): the distance reaches beyond every member
// expect(g++): delta_is_below_tile_size<8, 8>
// expect(clang++): delta_is_below_tile_size<8, 8>
// expect(nvcc): Asked=8, SmallestTile=8
#include <muster/muster.hpp>

namespace down_beyond_the_tile {

MUSTER_FN int next(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::shuffle_down<8>(tile, v);
#else
  return muster::shuffle_down<7>(tile, v);
#endif
}

}  // namespace down_beyond_the_tile
