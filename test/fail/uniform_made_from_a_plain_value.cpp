// expect(g++): conversion from
// expect(clang++): no viable conversion
// expect(nvcc): no suitable
#include <muster/muster.hpp>

namespace uniform_made_from_a_plain_value {

MUSTER_FN int total(muster::tile<32> warp, int v) {
#ifdef MUSTER_MISTAKE
  muster::uniform<int, muster::tile<32>> const same = v;
#else
  muster::uniform<int, muster::tile<32>> const same = muster::as_uniform(warp, v);
#endif
  return same + warp.width;
}

}  // namespace uniform_made_from_a_plain_value
