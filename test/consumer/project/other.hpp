// What the second source offers to the first.
#pragma once

#include <string>
#include <vector>

#include <muster/buffer.hpp>

int wrong_sums_in_other();
bool other_is_by_nvcc();
bool other_has_device();
bool (*other_has_device_function())();
std::string other_refusal();
muster::buffer<int> other_buffer(std::vector<int> const& values);  // on the device if there is one, else on the emulator
int other_sum(muster::buffer<int> values);
