// A message between the blocks of a cluster that needs no barrier: it is stored in the other block's shared memory and counted there, and who waits for the count sees it.
// A barrier of the cluster after stores takes two trips, the stores' and its own, and makes the stores' threads wait for the first: on an H200 that costs a row of
// softmax about a microsecond. On the emulator messages are stores, and a barrier ends them.
// Source: PTX ISA, "st.async", "mbarrier", "fence.mbarrier_init".
#pragma once

#include <cstdint>

#include <muster/backend/blocks.hpp>
#include <muster/config.hpp>
#include <muster/core/site.hpp>

namespace muster::backend {
inline namespace MUSTER_ABI {

// Counts bytes. Lies in shared memory.
struct arrival {
  alignas(8) std::uint64_t state;
};

#if MUSTER_HAS_CLUSTERS

__device__ inline std::uint32_t shared_address(void const* p) { return static_cast<std::uint32_t>(__cvta_generic_to_shared(p)); }

// One thread of the block calls it before its block announces itself to the cluster: so many bytes will come, once.
__device__ inline void prepare(arrival* a, std::uint32_t bytes) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(a)) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(a)), "r"(bytes) : "memory");
}

// Stores words to where `own` lies in block `rank`, which has been waited for, and counts them in its `a`.
template <int Count>
__device__ void send_to_block(std::uint32_t* own, arrival* a, unsigned rank, std::uint32_t const (&words)[Count], site) {
  static_assert(Count % 2 == 0);
  std::uint32_t there, there_a;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(own)), "r"(rank));
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there_a) : "r"(shared_address(a)), "r"(rank));
MUSTER_UNROLL
  for (int i = 0; i < Count; i += 2)
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1, %2}, [%3];" ::"r"(there + i * 4), "r"(words[i]), "r"(words[i + 1]), "r"(there_a)
                 : "memory");
}

// Waits until all bytes have come to the caller's block. Every thread of the cluster calls it.
__device__ inline void wait_for_messages(arrival* a, site) {
  asm volatile(
      "{ .reg .pred done;\n"
      "again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], 0;\n"
      "@!done bra again; }" ::"r"(shared_address(a))
      : "memory");
}

#else

MUSTER_FN inline void prepare(arrival*, std::uint32_t) {}
template <int Count>
MUSTER_FN void send_to_block(std::uint32_t* own, arrival*, unsigned rank, std::uint32_t const (&words)[Count], site where) {
  store_in_block(own, rank, words, where);
}
MUSTER_FN inline void wait_for_messages(arrival*, site where) { sync_cluster(where); }

#endif

}  // inline namespace MUSTER_ABI
}  // namespace muster::backend
