// expect: muster: a fold needs an associative operator with an identity
#include <muster/muster.hpp>

namespace difference_as_operator {

struct minus {
  MUSTER_FN int operator()(int a, int b) const { return a - b; }
};

MUSTER_FN int total(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(tile, v, minus{});
#else
  return muster::reduce(tile, -v, muster::plus{});
#endif
}

}  // namespace difference_as_operator
