// expect(g++): could not convert
// expect(clang++): no matching function for call to
// expect(nvcc): no suitable
#include <muster/muster.hpp>

namespace token_of_other_members {

MUSTER_FN int sum_of_full_warp(muster::tile<32> warp, int v) {
  return muster::reduce(warp, v, muster::plus{});
}

MUSTER_FN int total(muster::tile<32, muster::ragged> warp, int v) {
#ifdef MUSTER_MISTAKE
  return sum_of_full_warp(warp, v);
#else
  int result = v;
  muster::each_tile(warp, [&](auto tile) { result = muster::reduce(tile, v, muster::plus{}); });
  return result;
#endif
}

}  // namespace token_of_other_members
