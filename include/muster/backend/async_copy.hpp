// Copies of 16 bytes from global to shared memory that need no register while they are under way. Each thread waits for its own, and may then read what it copied itself;
// others may after a barrier. On the emulator they are plain copies.
// Source: PTX ISA, "cp.async", "cp.async.wait_all".
#pragma once

#include <cstdint>

#include <muster/config.hpp>

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

}  // inline namespace MUSTER_ABI
}  // namespace muster::backend
