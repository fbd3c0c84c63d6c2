// expect: muster::tiled_partition<W>(g): a partition is not wider than what it divides
// expect(g++): partition_is_not_wider<16, 8>
// expect(clang++): partition_is_not_wider<16, 8>
// expect(nvcc): Asked=16, Width=8
#include <muster/muster.hpp>

namespace partition_is_wider_than_its_parent {

MUSTER_FN int total(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  auto const part = muster::tiled_partition<16>(tile);
#else
  auto const part = muster::tiled_partition<4>(tile);
#endif
  return muster::reduce(part, v, muster::plus{});
}

}  // namespace partition_is_wider_than_its_parent
