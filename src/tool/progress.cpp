#include "tool/progress.hpp"

#include <unistd.h>

#include <cstdio>
#include <utility>

namespace muster::tool {

progress::progress(std::string label, std::size_t total) : label_(std::move(label)), total_(total), on_terminal_(isatty(STDERR_FILENO) != 0) {}

progress::~progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void progress::at(std::size_t done, std::string const& what) {
  if (!on_terminal_) return;
  auto const now = clock::now();
  if (now - start_ < std::chrono::milliseconds(500) || (shown_ && now - last_ < std::chrono::milliseconds(100))) return;
  std::string line = "\r\033[K" + label_ + ": ";
  if (total_ != 0) {
    std::string const percent = std::to_string(100 * done / total_);
    line += std::string(percent.size() < 3 ? 3 - percent.size() : 0, ' ') + percent + " %" + (what.empty() ? "" : ", ");
  }
  std::fputs((line + what).c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
  last_ = now;
}

}  // namespace muster::tool
