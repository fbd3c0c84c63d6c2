// expect: muster::softmax/log_sum_exp: floating-point values
#include <muster/muster.hpp>

namespace softmax_of_integers_in_a_row {

MUSTER_FN void share(muster::tile<8> tile, int (&row)[4], float (&shares)[4]) {
#ifdef MUSTER_MISTAKE
  muster::softmax(tile, row);
#else
  for (int i = 0; i < 4; ++i) shares[i] = static_cast<float>(row[i]);
  muster::softmax(tile, shares);
#endif
}

}  // namespace softmax_of_integers_in_a_row
