// expect: muster: this storage was declared for values of another type
#include <muster/muster.hpp>

namespace block_storage_of_another_type {

using block = muster::block<muster::block_dims<64>>;

struct shared {
  muster::block_storage<float, muster::block_dims<64>> for_floats;
  muster::block_storage<int, muster::block_dims<64>> for_ints;
};

MUSTER_FN int total(block b, shared& s, int v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(b, s.for_floats, v, muster::plus{});
#else
  return muster::reduce(b, s.for_ints, v, muster::plus{});
#endif
}

}  // namespace block_storage_of_another_type
