// expect: muster: a fold takes a value
#include <muster/muster.hpp>

namespace fold_with_an_argument_too_many {

MUSTER_FN float f(muster::tile<32> warp, float v) {
#ifdef MUSTER_MISTAKE
  return muster::reduce(warp, v, muster::plus{}, 0.0f);
#else
  return muster::reduce(warp, v, muster::plus{});
#endif
}

}  // namespace fold_with_an_argument_too_many
