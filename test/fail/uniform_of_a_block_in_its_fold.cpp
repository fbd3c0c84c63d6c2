// expect: muster: a uniform or held_by speaks of the members of its own group
#include <muster/muster.hpp>

namespace uniform_of_a_block_in_its_fold {

using shape = muster::block_dims<64>;
using group = muster::block<shape>;

struct shared {
  muster::block_storage<int, shape> plain;
};

MUSTER_FN int told(group b, shared& s, int v) {
  auto const total = muster::reduce(b, s.plain, v, muster::plus{});
#ifdef MUSTER_MISTAKE
  return muster::broadcast<0>(b, s.plain, total);
#else
  return muster::broadcast<0>(b, s.plain, total.value());
#endif
}

}  // namespace uniform_of_a_block_in_its_fold
