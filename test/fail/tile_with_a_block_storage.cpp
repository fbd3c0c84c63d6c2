// expect: muster: a tile's lanes need no shared memory
#include <muster/muster.hpp>

namespace tile_with_a_block_storage {

MUSTER_FN float total(muster::tile<8> tile, [[maybe_unused]] muster::block_storage<float, muster::block_dims<64>>& meeting, float v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(tile, meeting, v, muster::plus{});
#else
  return muster::reduce(tile, v, muster::plus{});
#endif
}

}  // namespace tile_with_a_block_storage
