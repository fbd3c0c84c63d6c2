// expect: muster::as_operator: this function object has no operator
// expect: an object of one type (std::plus<int>) would convert its operands, so take std::plus<>
#include <functional>

#include <muster/interop.hpp>
#include <muster/muster.hpp>

namespace sum_of_one_type_as_operator {

MUSTER_FN float total(muster::tile<8> tile, float v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(tile, v, muster::as_operator(std::plus<int>{}));
#else
  return muster::reduce(tile, v, muster::as_operator(std::plus<>{}));
#endif
}

}  // namespace sum_of_one_type_as_operator
