// expect: muster::block_storage<T, Dims>: Dims is the block's shape
#include <muster/muster.hpp>

namespace block_storage_of_a_tile {

#ifdef MUSTER_MISTAKE
using storage = muster::block_storage<float, muster::tile<32>>;
#else
using storage = muster::block_storage<float, muster::block_dims<32>>;
#endif

inline unsigned size() { return static_cast<unsigned>(sizeof(storage)); }

}  // namespace block_storage_of_a_tile
