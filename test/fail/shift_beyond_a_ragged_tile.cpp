// expect: muster::shuffle_up/shuffle_down/shift_up/shift_down<D>(tile, v): the distance reaches beyond every member
// expect(g++): delta_is_below_tile_size<16, 16>
// expect(clang++): delta_is_below_tile_size<16, 16>
// expect(nvcc): Asked=16, SmallestTile=16
#include <muster/muster.hpp>

namespace shift_beyond_a_ragged_tile {

MUSTER_FN int previous(muster::tile<16, muster::ragged> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::shift_up<16>(tile, v, 0);
#else
  return muster::shift_up<15>(tile, v, 0);
#endif
}

}  // namespace shift_beyond_a_ragged_tile
