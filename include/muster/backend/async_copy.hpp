// Copies of 4 to 16 bytes from global to shared memory that need no register while they are under way. Each thread waits for its own, and may then read what it copied
// itself; others may after a barrier. On the emulator they are plain copies: made at once, or, of pieces, when the thread waits for them.
// Source: PTX ISA, "cp.async", "cp.async.commit_group", "cp.async.wait_group", "cp.async.wait_all".
#pragma once

#include <cstddef>
#include <cstdint>

#include <muster/config.hpp>
#include <muster/core/site.hpp>
#if !MUSTER_ON_DEVICE
#include <muster/emulator/runtime.hpp>
#endif

namespace muster::backend {
inline namespace MUSTER_ABI {

// Begins to copy; both addresses are multiples of 16.
MUSTER_FN inline void copy_16_bytes(void* to_shared, void const* from) {
#if MUSTER_ON_DEVICE
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(to_shared))), "l"(from) : "memory");
#else
  __builtin_memcpy(to_shared, from, 16);
#endif
}

// Waits for all that this thread began.
MUSTER_FN inline void wait_for_copies() {
#if MUSTER_ON_DEVICE
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// The same in pieces of 4, 8 or 16 bytes, to which both addresses are aligned, or of one byte, which is copied at once; pieces that are begun up to a close belong together.
template <int Bytes>
MUSTER_FN void begin_piece(void* to_shared, void const* from, [[maybe_unused]] site where) {
  static_assert(Bytes == 1 || Bytes == 4 || Bytes == 8 || Bytes == 16);
#if MUSTER_ON_DEVICE
  if constexpr (Bytes == 1) *static_cast<char*>(to_shared) = *static_cast<char const*>(from);
  else if constexpr (Bytes == 16) copy_16_bytes(to_shared, from);
  else asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(to_shared))), "l"(from), "n"(Bytes) : "memory");
#else
  emulator::begin_copy(to_shared, from, Bytes, where);
#endif
}

// Returns which one of the thread's closes this is, from 1, on the emulator.
MUSTER_FN inline std::uint64_t close_pieces() {
#if MUSTER_ON_DEVICE
  asm volatile("cp.async.commit_group;" ::: "memory");
  return 0;
#else
  return emulator::close_copies();
#endif
}

// Reports, on the emulator, a copy that cannot be.
MUSTER_FN inline void check_copy([[maybe_unused]] void const* to, [[maybe_unused]] void const* from, [[maybe_unused]] long long count, [[maybe_unused]] std::size_t bytes,
                                 [[maybe_unused]] site where) {
#if !MUSTER_ON_DEVICE
  emulator::check_copy(to, from, count, bytes, where);
#endif
}

// Waits for all pieces but those of the last InFlight closes. `closed`, on the emulator, is a close that must be among those waited for.
template <int InFlight>
MUSTER_FN void wait_for_pieces([[maybe_unused]] std::uint64_t closed, [[maybe_unused]] site where) {
#if MUSTER_ON_DEVICE
  asm volatile("cp.async.wait_group %0;" ::"n"(InFlight) : "memory");
#else
  emulator::wait_for_copies(InFlight, closed, where);
#endif
}

}  // inline namespace MUSTER_ABI
}  // namespace muster::backend
