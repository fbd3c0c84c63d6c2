// expect: floating-point values
#include <muster/muster.hpp>

namespace softmax_of_a_block_of_integers {

using shape = muster::block_dims<64>;

struct shared {
  muster::block_storage<int, shape> for_ints;
  muster::block_storage<float, shape> for_floats;
};

MUSTER_FN void soften(muster::block<shape> b, shared& s, [[maybe_unused]] int& i, [[maybe_unused]] float& f) {
#ifdef MUSTER_MISTAKE
  i = muster::softmax(b, s.for_ints, i);
#else
  f = muster::softmax(b, s.for_floats, f);
#endif
}

}  // namespace softmax_of_a_block_of_integers
