// expect: muster::shuffle_xor<X>(tile, v): xor leaves the tile; use a wider tile
// expect(g++): xor_stays_in_tile<8, 8, 7
// expect(clang++): xor_stays_in_tile<8, 8, 7
// expect(nvcc): Asked=8, Width=8, LargestXor=7
#include <muster/muster.hpp>

namespace xor_leaves_the_tile {

MUSTER_FN int partner(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::shuffle_xor<8>(tile, v);
#else
  return muster::shuffle_xor<4>(tile, v);
#endif
}

}  // namespace xor_leaves_the_tile
