// A line on a terminal's standard error that says how far long work has come; nothing anywhere else.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace muster::tool {

class progress {
 public:
  // The line appears when the work has taken half a second, and is cleared at the end. A total of 0: not known, no share is shown.
  progress(std::string label, std::size_t total);
  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;
  ~progress();

  // `done` of the total are done; `what` is being worked on now.
  void at(std::size_t done, std::string const& what = {});

 private:
  using clock = std::chrono::steady_clock;

  std::string label_;
  std::size_t total_;
  bool on_terminal_;
  bool shown_ = false;
  clock::time_point start_ = clock::now();
  clock::time_point last_ = start_;
};

}  // namespace muster::tool
