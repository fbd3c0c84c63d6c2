// expect: muster: a fold needs an associative operator with an identity
#include <muster/muster.hpp>

namespace difference_as_operator_of_a_block {

using shape = muster::block_dims<64>;

struct minus {
  MUSTER_FN int operator()(int a, int b) const { return a - b; }
};

MUSTER_FN int fold(muster::block<shape> b, muster::block_storage<int, shape>& meeting, int v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(b, meeting, v, minus{});
#else
  return muster::reduce(b, meeting, v, muster::plus{});
#endif
}

}  // namespace difference_as_operator_of_a_block
