// expect: muster: tiled_partition<W>(tile): the width W is part
#include <muster/muster.hpp>

namespace width_of_a_partition_among_the_arguments {

MUSTER_FN float f(muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(muster::tiled_partition(warp, 8), v, muster::plus{});
#else
  return muster::reduce(muster::tiled_partition<8>(warp), v, muster::plus{});
#endif
}

}  // namespace width_of_a_partition_among_the_arguments
