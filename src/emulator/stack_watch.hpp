// A lane that runs out of its stack, follows a null pointer, or leaves its block's shared memory by far: what would be a bare memory fault says which lane it was.
#pragma once

#include <cstddef>
#include <memory>

#include <signal.h>

namespace muster::emulator::detail {

// While one exists, a fault of a lane on the calling OS thread is told of. The process then ends by SIGSEGV, as it does without; what is no full stack goes to whoever handled
// faults before, and so does, untold, what is the fault of no lane.
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
