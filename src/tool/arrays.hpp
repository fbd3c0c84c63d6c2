// Reduce, scan and softmax of the rows of an array, with choices made at run time.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tool/machine.hpp"

namespace muster::tool {

struct array_job {
  machine on = machine::emulator;
  std::string policy = "automatic";
  std::string op = "sum";   // of reduce and scan
  bool exclusive = false;   // of scan
  bool log = false;         // of softmax
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::function<void(std::size_t rows_done)> on_progress = [](std::size_t) {};
};

// One value a row, or as many as came in. T: float, double, std::int32_t; of softmax float and double.
// bad_input if the policy cannot do it; launch_error if the machine cannot.
template <class T>
std::vector<T> reduce_array(array_job const& job, std::vector<T> const& in);
template <class T>
std::vector<T> scan_array(array_job const& job, std::vector<T> const& in);
template <class T>
std::vector<T> softmax_array(array_job const& job, std::vector<T> const& in);

}  // namespace muster::tool
