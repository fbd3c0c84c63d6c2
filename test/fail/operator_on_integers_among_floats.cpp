// expect: muster: this operator takes or gives another type than the values of the fold
#include <muster/muster.hpp>

namespace operator_on_integers_among_floats {

struct sum {
  static constexpr bool is_commutative = true;
  MUSTER_FN int operator()(int a, int b) const { return a + b; }
  template <class T>
  MUSTER_FN static T identity() {
    return 0;
  }
};

MUSTER_FN float total(muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(warp, v, sum{});
#else
  return static_cast<float>(muster::reduce(warp, static_cast<int>(v), sum{}).value());
#endif
}

}  // namespace operator_on_integers_among_floats
