// expect: muster: this storage was declared for a block of another shape
#include <muster/muster.hpp>

namespace block_storage_of_another_shape {

struct shared {
  muster::block_storage<int, muster::block_dims<64>> small;
  muster::block_storage<int, muster::block_dims<256>> large;
};

MUSTER_FN int running(muster::block<muster::block_dims<256>> b, shared& s, int v) {
#ifdef MUSTER_MISTAKE
  return muster::inclusive_scan(b, s.small, v, muster::plus{});
#else
  return muster::inclusive_scan(b, s.large, v, muster::plus{});
#endif
}

}  // namespace block_storage_of_another_shape
