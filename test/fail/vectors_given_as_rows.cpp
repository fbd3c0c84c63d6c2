// expect: muster::device::softmax, log_softmax and log_sum_exp take (target, [workspace,] in, out, rows, columns
// only: g++, the twin makes nvcc compile every kernel of a type, which the tests of device/ do
#include <vector>

#include <muster/device/softmax.hpp>

namespace vectors_given_as_rows {

inline void run(std::vector<float> const& in, std::vector<float>& out) {
#ifdef MUSTER_MISTAKE
  muster::device::log_sum_exp(muster::on_emulator(), in, out, 4, 8);
#else
  muster::device::log_sum_exp(muster::on_emulator(), in.data(), out.data(), 4, 8);
#endif
}

}  // namespace vectors_given_as_rows
