// A block's shared memory in a mapping of its own, and what was written beside it.
#include "shared_memory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <system_error>

#include <sys/mman.h>

#include "stack_slab.hpp"

namespace muster::emulator::detail {
namespace {

constexpr std::size_t line = 1024;  // the widest alignment that hardware asks of shared memory
constexpr std::size_t forbidden = 16 * 1024 * 1024;  // on either side: what an index of a large matrix reaches too. It costs addresses and no memory
constexpr unsigned char filling = 0xc5;
constexpr std::ptrdiff_t near_bytes = 64;

std::size_t rounded(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

shared_memory::~shared_memory() { release(); }

void shared_memory::release() {
  if (mapped_ != nullptr) munmap(mapped_, mapped_bytes_);
  mapped_ = nullptr;
}

void shared_memory::place(std::size_t static_bytes, std::size_t dynamic_bytes) {
  std::size_t const used = rounded(line + rounded(static_bytes, line) + line + rounded(dynamic_bytes, line) + line, page_bytes());
  if (mapped_ == nullptr || mapped_bytes_ != used + 2 * forbidden) {
    release();
    void* const memory = mmap(nullptr, used + 2 * forbidden, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "muster emulator: no memory for a block's shared memory");
    mapped_ = static_cast<unsigned char*>(memory);
    mapped_bytes_ = used + 2 * forbidden;
    if (mprotect(mapped_ + forbidden, used, PROT_READ | PROT_WRITE) != 0) {
      int const error = errno;
      release();
      throw std::system_error(error, std::generic_category(), "muster emulator: no memory for a block's shared memory");
    }
  }
  static_bytes_ = static_bytes;
  dynamic_bytes_ = dynamic_bytes;
  unsigned char* const begin = mapped_ + forbidden;
  static_ = begin + line;
  dynamic_ = static_ + rounded(static_bytes, line) + line;
  gaps_[0] = {begin, static_};
  gaps_[1] = {static_ + static_bytes, dynamic_};
  gaps_[2] = {dynamic_ + dynamic_bytes, begin + used};
  for (range const& each : gaps_) std::memset(each.begin, filling, static_cast<std::size_t>(each.end - each.begin));
}

// Addresses are compared as numbers, as some lie in no object.
shared_memory::neighbourhood shared_memory::beside(void const* address) const {
  auto const number = [](void const* p) { return static_cast<long long>(reinterpret_cast<std::uintptr_t>(p)); };
  if (mapped_ == nullptr) return {};
  long long const at = number(address), first = number(static_), second = number(dynamic_);
  long long const first_end = first + static_cast<long long>(static_bytes_), second_end = second + static_cast<long long>(dynamic_bytes_);
  if (at < number(mapped_) || at >= number(mapped_) + static_cast<long long>(mapped_bytes_)) return {};
  if ((at >= first && at < first_end) || (at >= second && at < second_end)) return {};
  bool const is_nearer_to_dynamic = dynamic_bytes_ != 0 && (static_bytes_ == 0 || at - first_end > second - at);
  if (is_nearer_to_dynamic) return {"dynamic shared memory", dynamic_bytes_, at - second};
  return {"the kernel's `shared`", static_bytes_, at - first};
}

// All bytes are equal to the first one if each is equal to the next.
bool shared_memory::is_as_filled(range bytes) const {
  auto const count = static_cast<std::size_t>(bytes.end - bytes.begin);
  return count == 0 || (bytes.begin[0] == filling && std::memcmp(bytes.begin, bytes.begin + 1, count - 1) == 0);
}

std::string shared_memory::written_in(range gap) {
  auto const is_written = [](unsigned char byte) { return byte != filling; };
  unsigned char* const first = std::find_if(gap.begin, gap.end, is_written);
  unsigned char* last = gap.end;
  while (last != first && !is_written(last[-1])) --last;
  std::memset(gap.begin, filling, static_cast<std::size_t>(gap.end - gap.begin));
  neighbourhood const where = beside(first);
  long long const end = where.byte + (last - first) - 1;
  return std::string(where.object) + " has " + std::to_string(where.bytes) + (where.bytes == 1 ? " byte" : " bytes") + ", and " +
         (end == where.byte ? "byte " + std::to_string(end) + " was" : "bytes " + std::to_string(where.byte) + " to " + std::to_string(end) + " were") + " written";
}

std::string shared_memory::written_beside(extent_of_search how_far) {
  std::string text;
  for (range const& gap : gaps_) {
    range const front{gap.begin, gap.begin + std::min(near_bytes, gap.end - gap.begin)}, back{gap.end - (front.end - front.begin), gap.end};
    bool const is_untouched = how_far == extent_of_search::all ? is_as_filled(gap) : is_as_filled(front) && is_as_filled(back);
    if (!is_untouched) text += (text.empty() ? "" : "; ") + written_in(gap);
  }
  return text;
}

}  // namespace muster::emulator::detail
