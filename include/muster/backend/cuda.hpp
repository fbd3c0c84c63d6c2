// The warp instructions of an NVIDIA GPU (PTX ISA: shfl.sync, vote.sync, match.sync, redux.sync, bar.warp.sync). Device code only.
// Inline assembly where CUDA's intrinsics hide an operand: the clamp of shfl, and its predicate, which must be used inside one statement
// or it costs a setp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <muster/backend/guarded_fold.hpp>
#include <muster/backend/takes_part.hpp>
#include <muster/backend/words.hpp>
#include <muster/config.hpp>
#include <muster/core/extent.hpp>
#include <muster/core/redux_operation.hpp>
#include <muster/core/shuffle_mode.hpp>
#include <muster/core/site.hpp>

#if MUSTER_ON_DEVICE

namespace muster::backend {
inline namespace MUSTER_ABI {  // a checked build's instructions are guarded

__device__ inline int lane() {
  std::uint32_t lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return static_cast<int>(lane);
}

__device__ inline extent thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
__device__ inline extent block_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
__device__ inline extent block_shape() { return {blockDim.x, blockDim.y, blockDim.z}; }
__device__ inline extent grid_shape() { return {gridDim.x, gridDim.y, gridDim.z}; }

// One word through shfl.sync.
template <shuffle_mode Mode>
__device__ std::uint32_t shuffle_word(std::uint32_t membermask, std::uint32_t value, unsigned b, unsigned c) {
  std::uint32_t result;
  if constexpr (Mode == shuffle_mode::up) {
    asm volatile("shfl.sync.up.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(value), "r"(b), "r"(c), "r"(membermask));
  } else if constexpr (Mode == shuffle_mode::down) {
    asm volatile("shfl.sync.down.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(value), "r"(b), "r"(c), "r"(membermask));
  } else if constexpr (Mode == shuffle_mode::bfly) {
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(value), "r"(b), "r"(c), "r"(membermask));
  } else {
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(value), "r"(b), "r"(c), "r"(membermask));
  }
  return result;
}

// One word through shfl.sync, or `fill` in lanes whose source is out of range.
template <shuffle_mode Mode>
__device__ std::uint32_t shuffle_word_or(std::uint32_t membermask, std::uint32_t value, unsigned b, unsigned c, std::uint32_t fill) {
  std::uint32_t result;
  if constexpr (Mode == shuffle_mode::up) {
    asm volatile("{ .reg .pred p; .reg .b32 t; shfl.sync.up.b32 t|p, %1, %2, %3, %4; selp.b32 %0, t, %5, p; }"
                 : "=r"(result) : "r"(value), "r"(b), "r"(c), "r"(membermask), "r"(fill));
  } else if constexpr (Mode == shuffle_mode::down) {
    asm volatile("{ .reg .pred p; .reg .b32 t; shfl.sync.down.b32 t|p, %1, %2, %3, %4; selp.b32 %0, t, %5, p; }"
                 : "=r"(result) : "r"(value), "r"(b), "r"(c), "r"(membermask), "r"(fill));
  } else if constexpr (Mode == shuffle_mode::bfly) {
    asm volatile("{ .reg .pred p; .reg .b32 t; shfl.sync.bfly.b32 t|p, %1, %2, %3, %4; selp.b32 %0, t, %5, p; }"
                 : "=r"(result) : "r"(value), "r"(b), "r"(c), "r"(membermask), "r"(fill));
  } else {
    asm volatile("{ .reg .pred p; .reg .b32 t; shfl.sync.idx.b32 t|p, %1, %2, %3, %4; selp.b32 %0, t, %5, p; }"
                 : "=r"(result) : "r"(value), "r"(b), "r"(c), "r"(membermask), "r"(fill));
  }
  return result;
}

template <shuffle_mode Mode, class T>
__device__ T shuffle(std::uint32_t membermask, T const& value, unsigned b, unsigned c, site where) {
  if (!takes_part(membermask, where)) return value;
  auto w = to_words(value);
MUSTER_UNROLL
  for (int i = 0; i < w.count; ++i) w.word[i] = shuffle_word<Mode>(membermask, w.word[i], b, c);
  return from_words(w, value);
}

template <shuffle_mode Mode, class T>
__device__ T shuffle_or(std::uint32_t membermask, T const& value, unsigned b, unsigned c, T const& fill, site where) {
  if (!takes_part(membermask, where)) return value;
  auto w = to_words(value);
  auto const f = to_words(fill);
MUSTER_UNROLL
  for (int i = 0; i < w.count; ++i) w.word[i] = shuffle_word_or<Mode>(membermask, w.word[i], b, c, f.word[i]);
  return from_words(w, value);
}

// The lowest and the highest bit that is set; -1 if none is.
__device__ inline int first_bit(std::uint32_t bits) { return __ffs(static_cast<int>(bits)) - 1; }
__device__ inline int last_bit(std::uint32_t bits) { return 31 - __clz(static_cast<int>(bits)); }

__device__ inline std::uint32_t ballot(std::uint32_t membermask, bool predicate, site where) {
  return takes_part(membermask, where) ? __ballot_sync(membermask, predicate) : 0;
}
__device__ inline bool any(std::uint32_t membermask, bool predicate, site where) { return takes_part(membermask, where) && __any_sync(membermask, predicate) != 0; }
__device__ inline bool all(std::uint32_t membermask, bool predicate, site where) { return takes_part(membermask, where) && __all_sync(membermask, predicate) != 0; }

// The members that hold the same bytes: match.any for each 32- or 64-bit part, intersected.
template <class T>
__device__ std::uint32_t match_any(std::uint32_t membermask, T const& value, site where) {
  if (!takes_part(membermask, where)) return 0;
  auto const w = to_words(value);
  std::uint32_t same = membermask;
MUSTER_UNROLL
  for (int i = 0; i + 1 < w.count; i += 2)
    same &= __match_any_sync(membermask, static_cast<unsigned long long>(w.word[i + 1]) << 32 | w.word[i]);
  if constexpr (w.count % 2 == 1) same &= __match_any_sync(membermask, w.word[w.count - 1]);
  return same;
}

// All members if they hold the same bytes, otherwise none.
template <class T>
__device__ std::uint32_t match_all(std::uint32_t membermask, T const& value, site where) {
  if (!takes_part(membermask, where)) return 0;
  auto const w = to_words(value);
  std::uint32_t same = membermask;
MUSTER_UNROLL
  for (int i = 0; i < w.count; ++i) {
    int agree;
    same &= __match_all_sync(membermask, w.word[i], &agree);
  }
  return same;
}

template <redux_operation Operation>
__device__ std::uint32_t redux(std::uint32_t membermask, std::uint32_t value, site where) {
  if (!takes_part(membermask, where)) return value;
  if constexpr (Operation == redux_operation::add) return __reduce_add_sync(membermask, value);
  if constexpr (Operation == redux_operation::min_s32) return static_cast<std::uint32_t>(__reduce_min_sync(membermask, static_cast<int>(value)));
  if constexpr (Operation == redux_operation::max_s32) return static_cast<std::uint32_t>(__reduce_max_sync(membermask, static_cast<int>(value)));
  if constexpr (Operation == redux_operation::min_u32) return __reduce_min_sync(membermask, value);
  if constexpr (Operation == redux_operation::max_u32) return __reduce_max_sync(membermask, value);
  if constexpr (Operation == redux_operation::bit_and) return __reduce_and_sync(membermask, value);
  if constexpr (Operation == redux_operation::bit_or) return __reduce_or_sync(membermask, value);
  if constexpr (Operation == redux_operation::bit_xor) return __reduce_xor_sync(membermask, value);
}

// The dynamic shared memory of the launch, aligned for any vector access.
__device__ inline void* dynamic_shared_memory() {
  extern __shared__ __align__(128) unsigned char muster_dynamic_shared_memory[];
  return muster_dynamic_shared_memory;
}
__device__ inline std::size_t dynamic_shared_bytes() {
  std::uint32_t bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  return bytes;
}

__device__ inline void sync_warp(std::uint32_t membermask, site where) {
  if (takes_part(membermask, where)) __syncwarp(membermask);
}
__device__ inline void sync_block(site) { __syncthreads(); }

// The same object, by an address that depends on the lane as far as the compiler can see. Where a warp has branched ptxas 13.0 computes the address of an object in shared
// memory anew, from a special register, and the next access waits some 25 cycles for that; an address that no two lanes need have in common it keeps.
template <class T>
__device__ T* kept_address(T* in_shared_memory) {
  std::uint32_t address = static_cast<std::uint32_t>(__cvta_generic_to_shared(in_shared_memory));
  asm("{ .reg .b32 zero; mov.u32 zero, %%laneid; shr.u32 zero, zero, 5; add.u32 %0, %0, zero; }" : "+r"(address));
  return static_cast<T*>(__cvta_shared_to_generic(address));
}

// A condition that is the same in all lanes of a whole warp, so that ptxas knows it.
__device__ inline bool same_in_warp(bool condition) { return __any_sync(0xffffffffu, condition) != 0; }

// The same number, as if it had been asked for here: conditions on it are not joined with those on the number before.
__device__ inline int asked_anew(int number) {
  asm volatile("" : "+r"(number));
  return number;
}

// At the end of what a whole warp does under a condition: ptxas 13.0 puts the condition on each access instead, and an access that is not done takes a turn all the same.
__device__ inline void keep_branch() { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }

template <class Call>
__device__ void meet_block(void const*, int, site) {
  __syncthreads();
}

}  // inline namespace MUSTER_ABI
}  // namespace muster::backend

#endif
