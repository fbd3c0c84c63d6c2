// expect: muster: a fold needs an associative operator with an identity
#include <muster/muster.hpp>

namespace bits_of_a_float {

MUSTER_FN float bits(muster::tile<8> tile, float v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(tile, v, muster::bit_or{});
#else
  return muster::reduce(tile, v, muster::maximum{});
#endif
}

}  // namespace bits_of_a_float
