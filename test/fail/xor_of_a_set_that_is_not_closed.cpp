// expect: muster::shuffle_xor<X>(tile, v): xor leaves the tile
// expect(g++): xor_stays_in_tile<4, 8, 1
// expect(clang++): xor_stays_in_tile<4, 8, 1
// expect(nvcc): Asked=4, Width=8, LargestXor=1
#include <muster/muster.hpp>

namespace xor_of_a_set_that_is_not_closed {

inline constexpr muster::lane_set six{0x3f};

MUSTER_FN int partner(muster::tile<8, muster::lanes<six>> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::shuffle_xor<4>(tile, v);
#else
  return muster::shuffle_xor<1>(tile, v);
#endif
}

}  // namespace xor_of_a_set_that_is_not_closed
