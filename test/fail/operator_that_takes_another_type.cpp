// expect: muster: this operator takes or gives another type than the values of the fold
#include <muster/muster.hpp>

namespace operator_that_takes_another_type {

struct sum {
  static constexpr bool is_commutative = true;
  MUSTER_FN float operator()(int a, int b) const { return a + b; }
  template <class T>
  MUSTER_FN static T identity() {
    return 0;
  }
};

MUSTER_FN float total(muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(warp, v, sum{});
#else
  return muster::reduce(warp, v, muster::plus{});
#endif
}

}  // namespace operator_that_takes_another_type
