// What `muster demo` measures, one type of values at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tool/machine.hpp"

namespace muster::tool {

struct demo_job {
  machine on = machine::emulator;
  std::uint64_t seed = 1;
  std::size_t rows = 0;  // of 32 values, one warp each
  std::function<void(std::string const&)> on_progress = [](std::string const&) {};
};

// One algorithm, policy and type.
struct demo_result {
  std::string algorithm;
  std::string policy;
  std::string type;
  bool ran = false;              // false: the policy needs a GPU
  double error = 0;              // largest, against float64; relative to the larger of the reference's size and the algorithm's scale
  double bound = 0;              // what the error must not exceed
  double values_per_second = 0;
};

// Of every algorithm by every policy that does it.
std::vector<demo_result> demo_f32(demo_job const& job);
std::vector<demo_result> demo_f64(demo_job const& job);
std::vector<demo_result> demo_i32(demo_job const& job);
std::vector<demo_result> demo_i64(demo_job const& job);
std::vector<demo_result> demo_16_bit(demo_job const& job);  // f16 and bf16, where the toolkit's headers are; otherwise nothing

// Prints the results as tables. Throws if one is further off than allowed, or if none was run.
void report_demo(std::vector<demo_result> const& results, machine on);

}  // namespace muster::tool
