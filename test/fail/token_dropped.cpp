// A partition narrows nobody: it returns the token of smaller tiles. A warning, of which this file makes an error.
// expect: muster: a token is the group to call with; making one does nothing
#include <muster/muster.hpp>

#ifdef __CUDACC__
#pragma nv_diagnostic push
#pragma nv_diag_error 3005
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wunused-result"
#endif

namespace token_dropped {

MUSTER_FN int sum(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  muster::tiled_partition<4>(tile);
#else
  auto const smaller = muster::tiled_partition<4>(tile);
  v = muster::reduce(smaller, v, muster::plus{});
#endif
  return v;
}

}  // namespace token_dropped

#ifdef __CUDACC__
#pragma nv_diagnostic pop
#else
#pragma GCC diagnostic pop
#endif
