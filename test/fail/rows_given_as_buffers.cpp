// expect: muster::device::softmax, log_softmax and log_sum_exp take (target, [workspace,] in, out, rows, columns
// only: g++, the twin makes nvcc compile every kernel of a type, which the tests of device/ do
#include <muster/buffer.hpp>
#include <muster/device/softmax.hpp>

namespace rows_given_as_buffers {

inline void run(muster::buffer<float>& in, muster::buffer<float>& out) {
#ifdef MUSTER_MISTAKE
  muster::device::log_sum_exp(muster::on_emulator(), in, out, 4, 8, {8, 8});
#else
  muster::device::log_sum_exp(muster::on_emulator(), in.data(), out.data(), 4, 8, {8, 8});
#endif
}

}  // namespace rows_given_as_buffers
