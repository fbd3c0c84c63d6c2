// expect: muster::with(...): a token does not travel as state
#include <muster/muster.hpp>

namespace block_token_among_the_state {

MUSTER_FN void first_warp(muster::block<muster::block_dims<64>> block, int& v) {
#ifdef MUSTER_MISTAKE
  muster::only_warp<0>(block, muster::with(block, v), [](auto warp, auto&, int& x) { x = muster::reduce(warp, x, muster::plus{}); });
#else
  muster::only_warp<0>(block, muster::with(v), [](auto warp, int& x) { x = muster::reduce(warp, x, muster::plus{}); });
#endif
}

}  // namespace block_token_among_the_state
