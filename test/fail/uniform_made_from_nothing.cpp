// expect(g++): no matching function for call to
// expect(clang++): no matching constructor for initialization of
// expect(nvcc): no default constructor exists for class
#include <muster/muster.hpp>

namespace uniform_made_from_nothing {

MUSTER_FN int total(muster::tile<32> warp, int v) {
#ifdef MUSTER_MISTAKE
  muster::uniform<int, muster::tile<32>> sum;
#else
  auto const sum = muster::reduce(warp, v, muster::plus{});
#endif
  return sum + v + warp.width;
}

}  // namespace uniform_made_from_nothing
