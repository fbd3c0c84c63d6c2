// expect: muster::tiled_partition<W>(g): a partition is not wider than what it divides
#include <muster/muster.hpp>

namespace partition_is_wider_than_its_own_tile {

MUSTER_FN int total(muster::tile<8, muster::own_tile<8>> tile, int v) {
#ifdef MUSTER_MISTAKE
  auto const part = muster::tiled_partition<32>(tile);
#else
  auto const part = muster::tiled_partition<4>(tile);
#endif
  return muster::reduce(part, v, muster::plus{});
}

}  // namespace partition_is_wider_than_its_own_tile
