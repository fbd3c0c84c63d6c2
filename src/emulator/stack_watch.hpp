// A lane that runs out of its stack: what would be a bare memory fault says which lane it was and what to do.
#pragma once

#include <cstddef>
#include <memory>

#include <signal.h>

namespace muster::emulator::detail {

// While one exists, the calling OS thread tells of a full stack before the process ends by SIGSEGV, as it does without. Other faults go to whoever handled them before.
class stack_watch {
 public:
  stack_watch();
  ~stack_watch();
  stack_watch(stack_watch const&) = delete;
  stack_watch& operator=(stack_watch const&) = delete;

 private:
  static constexpr std::size_t bytes = 64 * 1024;  // for the handler, as the lane's own stack has no room left
  std::unique_ptr<unsigned char[]> const stack_ = std::make_unique<unsigned char[]>(bytes);
  stack_t before_{};
};

}  // namespace muster::emulator::detail
