// expect: muster: is_commutative, commutes_bitwise and is_idempotent of an operator are static constexpr bool
#include <muster/muster.hpp>

namespace operator_property_as_a_function {

struct first_that_is_not_zero {
  static constexpr bool is_commutative = false;
#ifdef MUSTER_MISTAKE
  MUSTER_FN static constexpr bool commutes_bitwise() { return false; }
#else
  static constexpr bool commutes_bitwise = false;
#endif
  MUSTER_FN int operator()(int a, int b) const { return a == 0 ? b : a; }
  template <class T>
  MUSTER_FN static T identity() {
    return 0;
  }
};

MUSTER_FN int first(muster::tile<32> warp, int v) { return muster::reduce(warp, v, first_that_is_not_zero{}); }

}  // namespace operator_property_as_a_function
