// expect: muster::tiled_partition<W>(g): a tile has 1, 2, 4, 8, 16 or 32 lanes
// expect(g++): partition_is_not_wider<6, 32>
// expect(clang++): partition_is_not_wider<6, 32>
// expect(nvcc): Asked=6, Width=32
#include <muster/muster.hpp>

namespace partition_into_six {

MUSTER_FN void wait(muster::tile<32> warp) {
#ifdef MUSTER_MISTAKE
  muster::sync(muster::tiled_partition<6>(warp));
#else
  muster::sync(muster::tiled_partition<8>(warp));
#endif
}

}  // namespace partition_into_six
