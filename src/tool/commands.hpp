// The tool's subcommands: what each is asked for, and its work. main.cpp reads the command line.
#pragma once

#include <cstdint>
#include <string>

#include "tool/arrays.hpp"

namespace muster::tool {

struct demo_request {
  std::string on;
  std::uint64_t seed = 1;
};
void run_demo(demo_request const& request);

enum class array_algorithm { softmax, reduce, scan };
struct array_request {
  array_algorithm algorithm{};
  std::string in;
  std::string out;
  std::string on;
  array_job job;
};
void run_on_array(array_request const& request);

struct show_request {
  std::string what;
  int width = 32;
  std::string lanes = "0xffffffff";
  int by = 1;
};
void show(show_request const& request);

struct plan_request {
  long long rows = 0;
  long long columns = 0;
  std::string type = "f32";
  int multiprocessors = 132;
  bool without_workspace = false;
};
void show_plan(plan_request const& request);

}  // namespace muster::tool
