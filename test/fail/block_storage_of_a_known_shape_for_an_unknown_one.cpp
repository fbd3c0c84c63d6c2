// expect: muster: this storage was declared for a block of another shape
#include <muster/muster.hpp>

namespace block_storage_of_a_known_shape_for_an_unknown_one {

struct shared {
  muster::block_storage<int, muster::block_dims<64>> small;
  muster::block_storage<int, muster::dynamic_block_dims> any;
};

MUSTER_FN int told(muster::block<muster::dynamic_block_dims> b, shared& s, int v) {
#ifdef MUSTER_MISTAKE
  return muster::broadcast<0>(b, s.small, v);
#else
  return muster::broadcast<0>(b, s.any, v);
#endif
}

}  // namespace block_storage_of_a_known_shape_for_an_unknown_one
