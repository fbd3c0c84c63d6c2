// expect: the output's rows are written
// only: g++, the twin makes nvcc compile every kernel of a type, which the tests of device/ do
#include <muster/device/softmax.hpp>

namespace results_into_constants {

inline void run(float const* in, [[maybe_unused]] float* out) {
#ifdef MUSTER_MISTAKE
  muster::device::log_sum_exp(muster::on_emulator(), in, in + 100, 4, 8);
#else
  muster::device::log_sum_exp(muster::on_emulator(), in, out, 4, 8);
#endif
}

}  // namespace results_into_constants
