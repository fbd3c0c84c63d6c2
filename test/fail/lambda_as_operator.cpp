// expect: muster: a fold needs an associative operator with an identity
#include <muster/muster.hpp>

namespace lambda_as_operator {

MUSTER_FN int total(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(tile, v, [](int a, int b) { return a + b; });
#else
  return muster::reduce(tile, v, muster::plus{});
#endif
}

}  // namespace lambda_as_operator
