#include "stack_slab.hpp"

#include <cerrno>
#include <system_error>

#include <sys/mman.h>
#include <unistd.h>

namespace muster::emulator::detail {
namespace {

std::size_t page_bytes() {
  static std::size_t const bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

// Stacks lie a multiple of the page size apart, so equal frames of all lanes would compete for the same few sets of the first cache.
// Each lane therefore starts a few lines lower than its neighbour.
std::size_t colour(int lane) { return static_cast<std::size_t>(lane) * 320 % 4096 / 64 * 64; }

}  // namespace

stack_slab::stack_slab(int count, std::size_t stack_bytes) : count_(count), stack_bytes_(stack_bytes) {
  std::size_t const page = page_bytes();
  stride_ = (stack_bytes + 4096 + page - 1) / page * page + page;
  std::size_t const total = stride_ * static_cast<std::size_t>(count);
  void* const mapped = mmap(nullptr, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "muster emulator: no memory for the lanes' stacks");
  memory_ = static_cast<unsigned char*>(mapped);
  for (int lane = 0; lane < count; ++lane) {
    if (mprotect(memory_ + stride_ * static_cast<std::size_t>(lane), page, PROT_NONE) != 0) {
      int const error = errno;
      munmap(mapped, total);
      throw std::system_error(error, std::generic_category(),
                              "muster emulator: no guard page for a lane's stack (fewer options.threads need fewer mappings)");
    }
  }
}

stack_slab::~stack_slab() { munmap(memory_, stride_ * static_cast<std::size_t>(count_)); }

void* stack_slab::top(int lane) const { return memory_ + stride_ * static_cast<std::size_t>(lane + 1) - colour(lane); }

std::size_t stack_slab::usable_bytes(int lane) const { return stride_ - page_bytes() - colour(lane); }

}  // namespace muster::emulator::detail
