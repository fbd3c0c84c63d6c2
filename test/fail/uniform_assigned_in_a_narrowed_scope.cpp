// expect(g++): use of deleted function
// expect(clang++): deleted
// expect(nvcc): it is a deleted function
#include <muster/muster.hpp>

namespace uniform_assigned_in_a_narrowed_scope {

MUSTER_FN int total(muster::tile<32> warp, int v) {
#ifdef MUSTER_MISTAKE
  auto sum = muster::reduce(warp, v, muster::plus{});
  auto const other = muster::reduce(warp, v, muster::maximum{});
  muster::branch(warp, v > 3, [&](auto) { sum = other; });
#else
  int sum = muster::reduce(warp, v, muster::plus{});
  auto const other = muster::reduce(warp, v, muster::maximum{});
  muster::branch(warp, v > 3, [&](auto) { sum = other; });
#endif
  return sum;
}

}  // namespace uniform_assigned_in_a_narrowed_scope
