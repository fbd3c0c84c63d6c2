// The stacks of one machine's lanes: one mapping, and below each stack memory that nobody may touch.
#include "stack_slab.hpp"

#include <cerrno>
#include <cstdint>
#include <system_error>

#include <sys/mman.h>
#include <unistd.h>

namespace muster::emulator::detail {
namespace {

// No access is allowed to the memory between stacks. Wider than a page, as a frame with large arrays touches its lowest bytes first; it costs addresses and no memory.
constexpr std::size_t guard_bytes = 256 * 1024;

// Instructions move the stack pointer by 32 bits with a sign.
constexpr std::size_t largest_frame_bytes = std::size_t{1} << 31;

// Stacks lie a multiple of the page size apart, so equal frames of all lanes would compete for the same few sets of the first cache.
// Each lane therefore starts a few lines lower than its neighbour.
std::size_t colour(int lane) { return static_cast<std::size_t>(lane) * 320 % 4096 / 64 * 64; }

}  // namespace

std::size_t page_bytes() {
  static std::size_t const bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

stack_slab::stack_slab(int count, std::size_t stack_bytes) : count_(count), stack_bytes_(stack_bytes) {
  std::size_t const page = page_bytes();
  stride_ = (stack_bytes + 4096 + page - 1) / page * page + guard_bytes;
  std::size_t const total = stride_ * static_cast<std::size_t>(count);
  void* const mapped = mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "muster emulator: no memory for the lanes' stacks");
  memory_ = static_cast<unsigned char*>(mapped);
  for (int lane = 0; lane < count; ++lane) {
    if (mprotect(memory_ + stride_ * static_cast<std::size_t>(lane) + guard_bytes, stride_ - guard_bytes, PROT_READ | PROT_WRITE) != 0) {
      int const error = errno;
      munmap(mapped, total);
      throw std::system_error(error, std::generic_category(),
                              "muster emulator: no memory for a lane's stack (fewer options.threads need fewer mappings)");
    }
  }
}

stack_slab::~stack_slab() { munmap(memory_, stride_ * static_cast<std::size_t>(count_)); }

void* stack_slab::top(int lane) const { return memory_ + stride_ * static_cast<std::size_t>(lane + 1) - colour(lane); }

std::size_t stack_slab::usable_bytes(int lane) const { return stride_ - guard_bytes - colour(lane); }

// A stack pointer that is further off than any frame reaches was overwritten.
bool stack_slab::has_run_out(int lane, void const* address, std::uintptr_t stack_pointer) const {
  std::uintptr_t const bottom = reinterpret_cast<std::uintptr_t>(memory_) + stride_ * static_cast<std::size_t>(lane) + guard_bytes;
  auto const lies_below = [bottom](std::uintptr_t place, std::size_t bytes) { return place < bottom && bottom - place <= bytes; };
  return lies_below(reinterpret_cast<std::uintptr_t>(address), guard_bytes) || lies_below(stack_pointer, largest_frame_bytes);
}

}  // namespace muster::emulator::detail
