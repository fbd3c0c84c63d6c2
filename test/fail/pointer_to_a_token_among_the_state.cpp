// expect: muster::with(...): a token does not travel as state
#include <muster/muster.hpp>

namespace pointer_to_a_token_among_the_state {

inline constexpr muster::lane_set low{0x0000ffff};

MUSTER_FN void halve(muster::tile<32> warp, int& v) {
#ifdef MUSTER_MISTAKE
  auto const* const outer = &warp;
  muster::only<low>(warp, muster::with(outer, v), [](auto, auto& w, int& x) { x = muster::reduce(*w, x, muster::plus{}); });
#else
  muster::only<low>(warp, muster::with(v), [](auto half, int& x) { x = muster::reduce(half, x, muster::plus{}); });
#endif
}

}  // namespace pointer_to_a_token_among_the_state
