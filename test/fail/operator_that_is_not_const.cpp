// expect: muster: the operator() of a fold's operator is const
#include <muster/muster.hpp>

namespace operator_that_is_not_const {

struct counting {
  static constexpr bool is_commutative = true;
  int calls = 0;
#ifdef MUSTER_MISTAKE
  MUSTER_FN float operator()(float a, float b) { return ++calls, a + b; }
#else
  MUSTER_FN float operator()(float a, float b) const { return a + b; }
#endif
  template <class T>
  MUSTER_FN static T identity() {
    return 0;
  }
};

MUSTER_FN float total(muster::tile<32> warp, float v) { return muster::reduce(warp, v, counting{}); }

}  // namespace operator_that_is_not_const
