// expect(g++): is not literal
// expect(clang++): constexpr variable
// expect(nvcc): constexpr
#include <muster/muster.hpp>

namespace token_constexpr {

MUSTER_FN int total(muster::tile<32> warp, int v) {
#ifdef MUSTER_MISTAKE
  constexpr auto tile = muster::tiled_partition<8>(warp);
#else
  auto const tile = muster::tiled_partition<8>(warp);
#endif
  return muster::reduce(tile, v, muster::plus{});
}

}  // namespace token_constexpr
