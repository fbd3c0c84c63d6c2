// expect: muster: this operator takes or gives another type than the values of the fold
#include <muster/muster.hpp>

namespace identity_of_another_type {

struct sum {
  static constexpr bool is_commutative = true;
  MUSTER_FN float operator()(float a, float b) const { return a + b; }
  template <class T>
  MUSTER_FN static int identity() {
    return 0;
  }
};

MUSTER_FN float total(muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  return muster::exclusive_scan(warp, v, sum{});
#else
  return muster::exclusive_scan(warp, v, muster::plus{});
#endif
}

}  // namespace identity_of_another_type
