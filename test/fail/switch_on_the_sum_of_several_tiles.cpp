// expect: lets_tiles_part_ways_so_use_value
// expect(g++): default type conversion
// expect(clang++): multiple conversions from switch condition type
// expect(nvcc): more than one conversion
#include <muster/muster.hpp>

namespace switch_on_the_sum_of_several_tiles {

MUSTER_FN void count(muster::tile<8> tile, int v, int& out) {
#ifdef MUSTER_MISTAKE
  switch (muster::reduce(tile, v, muster::plus{})) {
#else
  switch (muster::reduce(tile, v, muster::plus{}).value()) {
#endif
    case 0: out = 1; break;
    default: out = 2;
  }
}

}  // namespace switch_on_the_sum_of_several_tiles
