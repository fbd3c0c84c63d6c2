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

int stack_slab::lane_below_whose_stack_lies(void const* address) const {
  auto const begin = reinterpret_cast<std::uintptr_t>(memory_), asked = reinterpret_cast<std::uintptr_t>(address);
  if (asked < begin || asked - begin >= stride_ * static_cast<std::size_t>(count_)) return -1;
  return (asked - begin) % stride_ < guard_bytes ? static_cast<int>((asked - begin) / stride_) : -1;
}

}  // namespace muster::emulator::detail
