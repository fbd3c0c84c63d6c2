// expect: muster::as_operator: this function object has no operator: a difference or a quotient is not associative
#include <functional>

#include <muster/interop.hpp>
#include <muster/muster.hpp>

namespace difference_of_the_standard_library_as_operator {

MUSTER_FN int total(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(tile, v, muster::as_operator(std::minus<>{}));
#else
  return muster::reduce(tile, v, muster::as_operator(std::plus<>{}));
#endif
}

}  // namespace difference_of_the_standard_library_as_operator
