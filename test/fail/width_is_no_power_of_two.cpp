// expect: muster::tile<Width>: a tile has 1, 2, 4, 8, 16 or 32 lanes
// expect(g++): width_is_a_power_of_two_up_to_32<12>
// expect(clang++): width_is_a_power_of_two_up_to_32<12>
// expect(nvcc): Width=12
#include <muster/muster.hpp>

namespace width_is_no_power_of_two {

MUSTER_FN int width_of() {
#ifdef MUSTER_MISTAKE
  return muster::tile<12>::width;
#else
  return muster::tile<16>::width;
#endif
}

}  // namespace width_is_no_power_of_two
