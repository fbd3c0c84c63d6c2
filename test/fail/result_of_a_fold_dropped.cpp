// A fold changes none of its arguments: who drops its result has done nothing. A warning, of which this file makes an error.
// expect: muster: the result is what such a call is for, not a change of its arguments
#include <muster/muster.hpp>

#ifdef __CUDACC__
#pragma nv_diagnostic push
#pragma nv_diag_error 3005
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wunused-result"
#endif

namespace result_of_a_fold_dropped {

MUSTER_FN int total(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  muster::reduce(tile, v, muster::plus{});
#else
  v = muster::reduce(tile, v, muster::plus{});
#endif
  return v;
}

}  // namespace result_of_a_fold_dropped

#ifdef __CUDACC__
#pragma nv_diagnostic pop
#else
#pragma GCC diagnostic pop
#endif
