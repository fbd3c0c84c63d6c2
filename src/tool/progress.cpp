#include "tool/progress.hpp"

#include <unistd.h>

#include <cstdio>
#include <system_error>
#include <utility>

namespace muster::tool {

std::string progress_text(std::string const& label, std::string const& what, std::size_t done, std::size_t total, std::chrono::seconds since) {
  std::string text = label + (what.empty() ? "" : ": " + what);
  if (total != 0) {
    std::string const percent = std::to_string(static_cast<unsigned>(100.0 * static_cast<double>(done) / static_cast<double>(total)));
    text += ", " + std::string(percent.size() < 3 ? 3 - percent.size() : 0, ' ') + percent + " %";
  }
  return text + ", " + std::to_string(since.count()) + " s";
}

progress::progress(std::string label) : label_(std::move(label)) {
  if (isatty(STDERR_FILENO) == 0) return;
  try {
    shower_ = std::jthread([this](std::stop_token ended) { show(ended); });
  } catch (std::system_error const&) {
    // The system has no thread for it: the work goes on unseen.
  }
}

void progress::begin(std::string what, std::size_t total) {
  std::lock_guard const lock(mutex_);
  what_ = std::move(what);
  done_ = 0;
  total_ = total;
}

void progress::at(std::size_t done) {
  std::lock_guard const lock(mutex_);
  done_ = done;
}

void progress::show(std::stop_token ended) {
  std::unique_lock lock(mutex_);
  auto const ends_within = [&](std::chrono::milliseconds time) { return end_.wait_for(lock, ended, time, [] { return false; }) || ended.stop_requested(); };
  if (ends_within(std::chrono::milliseconds(500))) return;
  do {
    auto const since = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start_);
    std::fputs(("\r\033[K" + progress_text(label_, what_, done_, total_, since)).c_str(), stderr);
    std::fflush(stderr);
  } while (!ends_within(std::chrono::milliseconds(100)));
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

}  // namespace muster::tool
