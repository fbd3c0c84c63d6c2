// expect: muster::device::softmax: load is called as load(value, row, column)
// only: g++, the twin makes nvcc compile every kernel of a type, which the tests of device/ do
#include <muster/device/softmax.hpp>

namespace load_without_the_place_of_a_value {

struct scaled {
#ifdef MUSTER_MISTAKE
  MUSTER_FN float operator()(float value) const { return 2.0f * value; }
#else
  MUSTER_FN float operator()(float value, long long, long long) const { return 2.0f * value; }
#endif
};

inline void run(float const* in, float* out) { muster::device::log_sum_exp(muster::on_emulator(), in, out, 4, 8, {}, scaled{}); }

}  // namespace load_without_the_place_of_a_value
