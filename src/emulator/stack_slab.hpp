// The stacks of one machine's lanes: one mapping, and below each stack memory that nobody may touch.
#pragma once

#include <cstddef>
#include <cstdint>

namespace muster::emulator::detail {

// Of the system.
std::size_t page_bytes();

class stack_slab {
 public:
  // Throws std::system_error when the memory cannot be had.
  stack_slab(int count, std::size_t stack_bytes);
  ~stack_slab();
  stack_slab(stack_slab const&) = delete;
  stack_slab& operator=(stack_slab const&) = delete;

  // Where the stack of a lane begins (stacks grow downwards) and how many bytes lie below.
  void* top(int lane) const;
  std::size_t usable_bytes(int lane) const;

  // Whether a lane whose access to this address failed has run out of its stack: it reached the memory below, which nobody may touch, or its frames lie lower still, where
  // other lanes have theirs. stack_pointer: the lane's; 0 if it is not known.
  bool has_run_out(int lane, void const* address, std::uintptr_t stack_pointer) const;

  int count() const { return count_; }
  std::size_t stack_bytes() const { return stack_bytes_; }

 private:
  int count_;
  std::size_t stack_bytes_;
  std::size_t stride_;
  unsigned char* memory_;
};

}  // namespace muster::emulator::detail
