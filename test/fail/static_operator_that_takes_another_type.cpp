// expect: muster: this operator takes or gives another type than the values of the fold
// only: clang++, which takes a static operator() before C++23
#include <muster/muster.hpp>

namespace static_operator_that_takes_another_type {

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++23-extensions"

template <class Operand>
struct sum {
  static constexpr bool is_commutative = true;
  MUSTER_FN static float operator()(Operand a, Operand b) { return static_cast<float>(a + b); }
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

#pragma clang diagnostic pop

}  // namespace static_operator_that_takes_another_type
