// expect: muster: this value is uniform in each tile only
// only: g++, clang++ 19 crashes at a switch if the conversion is refused there
#include <muster/muster.hpp>

namespace bool_from_a_sum_of_several_tiles {

MUSTER_FN bool some(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  bool const found = muster::reduce(tile, v, muster::plus{});
  return found;
#else
  bool const found = muster::reduce(tile, v, muster::plus{}).value() != 0;
  return found;
#endif
}

}  // namespace bool_from_a_sum_of_several_tiles
