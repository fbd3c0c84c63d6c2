#include "other.hpp"

#include "kernel.hpp"

int wrong_sums_in_other() { return wrong_sums(1000); }

bool other_is_by_nvcc() {
#if defined(__CUDACC__)
  return true;
#else
  return false;
#endif
}
bool other_has_device() { return muster::has_device(); }
bool (*other_has_device_function())() { return &muster::has_device; }

std::string other_refusal() {
  try {
    muster::buffer<int> const memory(muster::on_device(), 4);
    return "";
  } catch (muster::launch_error const& error) {
    return error.what();
  }
}

muster::buffer<int> other_buffer(std::vector<int> const& values) {
  if (muster::has_device()) return muster::buffer<int>(muster::on_device(), values);
  return muster::buffer<int>(muster::on_emulator(), values);
}

int other_sum(muster::buffer<int> values) {
  int sum = 0;
  for (int value : values.to_vector()) sum += value;
  return sum;
}
