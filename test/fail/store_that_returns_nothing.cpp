// expect: muster::device::softmax: store is called as store(result, row, column)
// only: g++, the twin makes nvcc compile every kernel of a type, which the tests of device/ do
#include <muster/device/softmax.hpp>

namespace store_that_returns_nothing {

struct scaled {
#ifdef MUSTER_MISTAKE
  MUSTER_FN void operator()(float, long long, long long) const {}
#else
  MUSTER_FN float operator()(float value, long long, long long) const { return 2.0f * value; }
#endif
};

inline void run(float const* in, float* out) { muster::device::log_sum_exp(muster::on_emulator(), in, out, 4, 8, {}, muster::device::as_is{}, scaled{}); }

}  // namespace store_that_returns_nothing
