// expect: muster::shuffle_up/shuffle_down/shift_up/shift_down<D>(tile, v): the distance reaches beyond every member
#include <muster/muster.hpp>

namespace shift_down_beyond_the_tile {

MUSTER_FN int next(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::shift_down<9>(tile, v, 0);
#else
  return muster::shift_down<1>(tile, v, 0);
#endif
}

}  // namespace shift_down_beyond_the_tile
