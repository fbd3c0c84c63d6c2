// So has who drops what a shuffle returns, which is a T. A warning, of which this file makes an error.
// expect: muster: the result is what such a call is for, not a change of its arguments
#include <muster/muster.hpp>

#ifdef __CUDACC__
#pragma nv_diagnostic push
#pragma nv_diag_error 3000
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wunused-result"
#endif

namespace result_of_a_shuffle_dropped {

MUSTER_FN int partner(muster::tile<8> tile, int v) {
#ifdef MUSTER_MISTAKE
  muster::shuffle_xor<1>(tile, v);
#else
  v = muster::shuffle_xor<1>(tile, v);
#endif
  return v;
}

}  // namespace result_of_a_shuffle_dropped

#ifdef __CUDACC__
#pragma nv_diagnostic pop
#else
#pragma GCC diagnostic pop
#endif
