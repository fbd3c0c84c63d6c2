// expect: muster: this operator takes or gives another type than the values of the fold
#include <muster/muster.hpp>

namespace volatile_operator_that_takes_another_type {

template <class Operand>
struct sum {
  static constexpr bool is_commutative = true;
  MUSTER_FN float operator()(Operand a, Operand b) const volatile& noexcept { return static_cast<float>(a + b); }
  template <class T>
  MUSTER_FN static T identity() {
    return 0;
  }
};

MUSTER_FN float total(muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(warp, v, sum<int>{});
#else
  return muster::reduce(warp, v, sum<float>{});
#endif
}

}  // namespace volatile_operator_that_takes_another_type
