// A line on a terminal's standard error that says how far long work has come; nothing anywhere else.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace muster::tool {

// "label: what,  37 %, 12 s". A total of 0: not known, no share is shown.
std::string progress_text(std::string const& label, std::string const& what, std::size_t done, std::size_t total, std::chrono::seconds since);

class progress {
 public:
  // The line appears when the work has taken half a second, is written anew ten times a second, also while one step takes long, and is cleared at the end.
  explicit progress(std::string label);
  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;

  // What is being done from now on, in `total` pieces; and how many of them are done.
  void begin(std::string what, std::size_t total = 0);
  void at(std::size_t done);

 private:
  void show(std::stop_token ended);

  std::string label_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;  // guards the three below
  std::string what_;
  std::size_t done_ = 0, total_ = 0;
  std::condition_variable_any end_;
  std::jthread shower_;  // the last member: ends before the others do
};

}  // namespace muster::tool
