// A kernel that begins while the one before it in its stream still runs. Sources: PTX ISA, "griddepcontrol", "prefetch"; CUDA C++ Programming Guide, "Programmatic Dependent
// Launch and Synchronization".
#pragma once

#include <muster/config.hpp>

namespace muster::backend {
inline namespace MUSTER_ABI {

// Returns when all kernels before this one in its stream have completed and what they wrote is visible, as cudaGridDependencySynchronize() does; at once in a kernel that was
// launched behind them as usual.
MUSTER_FN inline void wait_for_earlier_kernels() {
#if MUSTER_HAS_CLUSTERS
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// The next kernel in the stream may begin when every block has said so or ended, if it was launched to begin early; it still waits for this one's end before it reads.
// CUDA's cudaTriggerProgrammaticLaunchCompletion().
MUSTER_FN inline void let_next_kernel_begin() {
#if MUSTER_HAS_CLUSTERS
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// Prefetches the sector at this address to L2. The thread gets no value, and L2 is coherent: other kernels may still be writing it.
MUSTER_FN inline void prefetch_to_l2([[maybe_unused]] void const* address) {
#if MUSTER_ON_DEVICE
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#endif
}

}  // inline namespace MUSTER_ABI
}  // namespace muster::backend
