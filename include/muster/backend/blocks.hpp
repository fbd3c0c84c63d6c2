// What blocks that run at once need of each other: a cluster's barrier and its blocks' shared memory, and a grid's barrier. One set of
// names, on a GPU and on the emulator. Sources: PTX ISA, "barrier.cluster", "mapa", "st.async", "mbarrier",
// "%cluster_ctarank". Launches see to it that code of clusters runs where there are clusters.
#pragma once

#include <cstddef>
#include <cstdint>

#include <muster/backend/warp.hpp>
#include <muster/backend/words.hpp>
#include <muster/config.hpp>
#include <muster/core/block_company.hpp>
#include <muster/core/site.hpp>

namespace muster::backend {
inline namespace MUSTER_ABI {

#if MUSTER_ON_DEVICE

__device__ inline unsigned block_rank_in_cluster() {
  unsigned rank = 0;
#if MUSTER_HAS_CLUSTERS
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
  return rank;
}

__device__ inline bool check_block_rank(unsigned, unsigned, site) { return true; }

__device__ inline void sync_cluster(site) {
#if MUSTER_HAS_CLUSTERS
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#endif
}

// A barrier in two halves: what stands between them is done while others are waited for. It orders nothing but inits of mbarriers, and says
// that every block has begun. A release would wait until all that the caller ever wrote is visible: two such barriers a reduction took
// 1,057 cycles on an H200 where this way takes 690.
__device__ inline void announce_block() {
#if MUSTER_HAS_CLUSTERS
  asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
#endif
}
__device__ inline void wait_for_blocks() {
#if MUSTER_HAS_CLUSTERS
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#endif
}

// Data that other blocks send into this one's shared memory, and an mbarrier that counts its bytes. One thread opens it before it announces
// the block, says behind that barrier how many bytes will come, and closes it when all threads have read; they wait in between. That order
// suffices (PTX ISA, "fence.mbarrier_init", "mbarrier", "st.async", "bar.sync"):
//   All that send see the init: the fence releases it, and the wait for the blocks acquires. Bytes may be counted before they are expected,
//   for the phase cannot end while its one arrival is due.
//   Each byte has been counted before the mbarrier is closed, and before the block ends: with the last one the phase ends, which every reader
//   waits for (the count releases, the wait acquires), and a barrier of the block stands between the readers and the thread that closes it.
//   What bytes overwrite has been read: the readers have passed a barrier of the block, and so have the values that they asked for, before
//   their block is announced again. The same thread opens in each call: another one could open before this one has closed.
// Racecheck of CUDA 13.0 takes an init for one by each lane of the warp or even of the block, since ptxas lists it at an instruction that all
// execute (EIATTR_MBARRIER_INSTR_OFFSETS), and reports a race with an arrival that follows at once, in programs without muster too. So it does
// of device::softmax, which cannot afford that order.
__device__ inline void open_arrival([[maybe_unused]] std::uint64_t* arrival) {
#if MUSTER_HAS_CLUSTERS
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(arrival));
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}
__device__ inline void expect_arrival([[maybe_unused]] std::uint64_t* arrival, [[maybe_unused]] unsigned bytes) {
#if MUSTER_HAS_CLUSTERS
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(arrival));
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address), "r"(bytes) : "memory");
#endif
}
__device__ inline void close_arrival([[maybe_unused]] std::uint64_t* arrival) {
#if MUSTER_HAS_CLUSTERS
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(arrival))) : "memory");
#endif
}
template <class Call>
__device__ void wait_for_arrival([[maybe_unused]] std::uint64_t* arrival, void const*, std::size_t, int, site) {
#if MUSTER_HAS_CLUSTERS
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(arrival));
  std::uint32_t done;
  do
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(address)
                 : "memory");
  while (done == 0);
#endif
}

// Where block `rank` has what lies at `own` in the caller's shared memory.
__device__ inline void* shared_of_block(void* own, unsigned rank, site) {
  std::uint64_t there = reinterpret_cast<std::uint64_t>(own);
#if MUSTER_HAS_CLUSTERS
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(reinterpret_cast<std::uint64_t>(own)), "r"(rank));
#endif
  return reinterpret_cast<void*>(there);
}

// Sends words to where `own` lies in the shared memory of block `rank`, whose arrival counts them. own is aligned for the widest store that
// divides the words.
template <int Count>
__device__ void send_to_block([[maybe_unused]] std::uint32_t* own, [[maybe_unused]] std::uint64_t* arrival, [[maybe_unused]] unsigned rank,
                              [[maybe_unused]] std::uint32_t const (&words)[Count], site) {
#if MUSTER_HAS_CLUSTERS
  std::uint32_t there, count;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(own))), "r"(rank));
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(count) : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(arrival))), "r"(rank));
  constexpr int step = Count % 4 == 0 ? 4 : Count % 2 == 0 ? 2 : 1;
MUSTER_UNROLL
  for (int i = 0; i < Count; i += step) {
    if constexpr (step == 4) {
      asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%2, %3, %4, %5}, [%1];" ::"r"(there + i * 4),
                   "r"(count), "r"(words[i]), "r"(words[i + 1]), "r"(words[i + 2]), "r"(words[i + 3])
                   : "memory");
    } else if constexpr (step == 2) {
      asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%2, %3}, [%1];" ::"r"(there + i * 4),
                   "r"(count), "r"(words[i]), "r"(words[i + 1])
                   : "memory");
    } else {
      asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %2, [%1];" ::"r"(there + i * 4), "r"(count),
                   "r"(words[i])
                   : "memory");
    }
  }
#endif
}

// The barrier of a grid, in the word that the driver gives to each cooperative launch: the second of what %envreg2 and, above it, %envreg1
// point to. Binaries of every toolkit since 9.0 find it there (cooperative_groups/details/driver_abi.h), so drivers keep it. Its highest
// bit flips when all blocks have come: the first block adds what the others' ones leave to 2^31.
__device__ inline std::uint64_t address_of_grid_words() {
  std::uint64_t address;
  asm("{ .reg .b32 low, high; mov.b32 high, %%envreg1; mov.b32 low, %%envreg2; mov.b64 %0, {low, high}; }" : "=l"(address));
  return address;
}
__device__ inline std::uint32_t* word_of_grid() { return reinterpret_cast<std::uint32_t*>(address_of_grid_words()) + 1; }
__device__ inline bool is_cooperative_launch() { return address_of_grid_words() != 0; }
__device__ inline void sync_grid(site) {
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
    std::uint32_t* const word = word_of_grid();
    bool const is_first = blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0;
    std::uint32_t const added = is_first ? 0x80000000u - (gridDim.x * gridDim.y * gridDim.z - 1) : 1u;
    std::uint32_t before, now;
    asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;" : "=r"(before) : "l"(word), "r"(added) : "memory");
    do asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(word) : "memory");
    while (((before ^ now) & 0x80000000u) == 0);
  }
  __syncthreads();
}

#else

inline unsigned block_rank_in_cluster() { return emulator::here().rank_in_cluster; }

inline bool check_block_rank(unsigned rank, unsigned blocks, site where) {
  return emulator::check_rank(static_cast<int>(rank), static_cast<int>(blocks), where);
}

// Here whoever waits for data waits for all who can send it: more than on a GPU, but in every thread the same call. What it orders is the data,
// `bytes` from `memory` on, as on a GPU.
inline void open_arrival(std::uint64_t*) {}
inline void expect_arrival(std::uint64_t*, unsigned) {}
inline void close_arrival(std::uint64_t*) {}
template <class Call>
void wait_for_arrival(std::uint64_t*, void const* memory, std::size_t bytes, int number, site where) {
  static char const what = 0;
  emulator::meet_blocks(block_company::cluster, {&what, memory, number, bytes}, where);
}
inline void announce_block() {}
inline void wait_for_blocks() { emulator::meet_blocks(block_company::cluster, {}, site::here()); }
inline void sync_cluster(site where) { emulator::meet_blocks(block_company::cluster, {}, where); }

inline void* shared_of_block(void* own, unsigned rank, site where) { return emulator::shared_of_block(own, rank, where); }

template <int Count>
void send_to_block(std::uint32_t* own, std::uint64_t*, unsigned rank, std::uint32_t const (&words)[Count], site where) {
  auto* const there = static_cast<std::uint32_t*>(emulator::shared_of_block(own, rank, where));
  for (int i = 0; i < Count; ++i) there[i] = words[i];
}

inline void sync_grid(site where) { emulator::meet_blocks(block_company::grid, {}, where); }

#endif

}  // inline namespace MUSTER_ABI
}  // namespace muster::backend
