// expect: to variadic function
// only: clang++, the others pass an object through `...` with a warning
#include <cstdio>

#include <muster/muster.hpp>

namespace uniform_through_printf {

MUSTER_FN void tell(muster::tile<32> warp, int v) {
  auto const total = muster::reduce(warp, v, muster::plus{});
#ifdef MUSTER_MISTAKE
  std::printf("%d\n", total);
#else
  std::printf("%d\n", total.value());
#endif
}

}  // namespace uniform_through_printf
