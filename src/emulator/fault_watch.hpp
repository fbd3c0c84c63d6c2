// A lane that runs out of its stack, follows a null pointer, leaves its block's shared memory by far, divides by 0 or stops itself: what would be the bare end of the process
// says which lane it was.
#pragma once

#include <cstddef>
#include <memory>

#include <signal.h>

namespace muster::emulator::detail {

// While one exists, what a lane on the calling OS thread does to get SIGSEGV, SIGBUS, SIGFPE or SIGILL is told of. The process then ends by that signal, as it does without;
// what is no full stack goes to whoever handled the signal before, and so does, untold, what is the fault of no lane.
class fault_watch {
 public:
  fault_watch();
  ~fault_watch();
  fault_watch(fault_watch const&) = delete;
  fault_watch& operator=(fault_watch const&) = delete;

 private:
  static constexpr std::size_t bytes = 64 * 1024;  // for the handler, as the lane's own stack may have no room left
  std::unique_ptr<unsigned char[]> const stack_ = std::make_unique<unsigned char[]>(bytes);
  stack_t before_{};
};

}  // namespace muster::emulator::detail
