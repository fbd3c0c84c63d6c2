#include "tool/progress.hpp"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include <fmt/format.h>

namespace muster::tool {

progress::progress(std::string label, std::size_t total) : label_(std::move(label)), total_(total), on_terminal_(isatty(STDERR_FILENO) != 0) {}

progress::~progress() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void progress::at(std::size_t done, std::string const& what) {
  if (!on_terminal_) return;
  auto const now = clock::now();
  if (now - start_ < std::chrono::milliseconds(500) || (shown_ && now - last_ < std::chrono::milliseconds(100))) return;
  std::string const share = total_ == 0 ? "" : fmt::format("{:3} %", 100 * done / total_);
  fmt::print(stderr, "\r\033[K{}: {}{}{}", label_, share, share.empty() || what.empty() ? "" : ", ", what);
  std::fflush(stderr);
  shown_ = true;
  last_ = now;
}

}  // namespace muster::tool
