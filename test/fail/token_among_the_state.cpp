// expect: muster::with(...): a token does not travel as state
#include <muster/muster.hpp>

namespace token_among_the_state {

inline constexpr muster::lane_set low{0x0000ffff};

MUSTER_FN void halve(muster::tile<32> warp, int& v) {
#ifdef MUSTER_MISTAKE
  muster::only<low>(warp, muster::with(warp, v), [](auto half, auto&, int& x) { x = muster::reduce(half, x, muster::plus{}); });
#else
  muster::only<low>(warp, muster::with(v), [](auto half, int& x) { x = muster::reduce(half, x, muster::plus{}); });
#endif
}

}  // namespace token_among_the_state
