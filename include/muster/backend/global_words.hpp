// Words of global memory that are read or written once, and pairs of 16-bit numbers in a word, with a GPU's own instructions.
// Source: PTX ISA, "ld.global.nc", "st.global.cs", "cvt" and "max" with .f16x2 and .bf16x2.
#pragma once

#include <cstdint>

#include <muster/config.hpp>

namespace muster::backend {
inline namespace MUSTER_ABI {

// How global memory is read.
enum class reading {
  once,     // takes no place in L1: for whole sectors that are read once. Nobody writes them while the kernel runs, before this thread has them
  kept,     // the same, kept in L1
  coherent  // as `once`, but kernels before this one may have written them since it began
};

// Reads `Bytes` bytes: 2, 4, 8 or 16, and `from` is a multiple of that. Fewer than 16 are kept in L1.
template <int Bytes, reading How, int Count>
MUSTER_FN void load_words(std::uint32_t (&word)[Count], void const* from) {
  static_assert(Count == (Bytes + 3) / 4 && (Bytes == 16 || How == reading::kept));
#if MUSTER_ON_DEVICE
  if constexpr (How == reading::coherent) {
    asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3]) : "l"(from) : "memory");
  } else if constexpr (Bytes == 16 && How == reading::kept) {
    asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3]) : "l"(from));
  } else if constexpr (Bytes == 16) {
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3]) : "l"(from));
  } else if constexpr (Bytes == 8) {
    asm volatile("ld.global.nc.v2.u32 {%0, %1}, [%2];" : "=r"(word[0]), "=r"(word[1]) : "l"(from));
  } else if constexpr (Bytes == 4) {
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(word[0]) : "l"(from));
  } else {
    std::uint16_t half;
    asm volatile("ld.global.nc.u16 %0, [%1];" : "=h"(half) : "l"(from));
    word[0] = half;
  }
#else
  word[0] = 0;
  __builtin_memcpy(word, from, Bytes);
#endif
}

// Writes them; nobody reads them soon. `to` is aligned to the smaller of their number and 16.
template <int Bytes, int Count>
MUSTER_FN void store_words(void* to, std::uint32_t const (&word)[Count]) {
  static_assert(Count == (Bytes + 3) / 4);
#if MUSTER_ON_DEVICE
  if constexpr (Bytes == 2) {
    asm volatile("st.global.cs.u16 [%0], %1;" ::"l"(to), "h"(static_cast<std::uint16_t>(word[0])) : "memory");
  } else if constexpr (Bytes == 4) {
    asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(to), "r"(word[0]) : "memory");
  } else if constexpr (Bytes == 8) {
    asm volatile("st.global.cs.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(word[0]), "r"(word[1]) : "memory");
  } else {
MUSTER_UNROLL
    for (int i = 0; i < Count; i += 4)
      asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(static_cast<char*>(to) + i * 4), "r"(word[i]), "r"(word[i + 1]), "r"(word[i + 2]), "r"(word[i + 3])
                   : "memory");
  }
#else
  __builtin_memcpy(to, word, Bytes);
#endif
}

// What was computed from the word so far is not kept for later.
MUSTER_FN inline void forget([[maybe_unused]] std::uint32_t& word) {
#if MUSTER_ON_DEVICE
  asm volatile("" : "+r"(word));
#endif
}

#if MUSTER_ON_DEVICE

// Two numbers rounded to 16 bits, the first in the low half; and the larger of each two, where a NaN counts as missing.
__device__ inline std::uint32_t rounded_to_halves(float first, float second) {
  std::uint32_t word;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
  return word;
}
__device__ inline std::uint32_t rounded_to_bfloat16s(float first, float second) {
  std::uint32_t word;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
  return word;
}
__device__ inline std::uint32_t larger_halves(std::uint32_t a, std::uint32_t b) {
  std::uint32_t word;
  asm("max.f16x2 %0, %1, %2;" : "=r"(word) : "r"(a), "r"(b));
  return word;
}
__device__ inline std::uint32_t larger_bfloat16s(std::uint32_t a, std::uint32_t b) {
  std::uint32_t word;
  asm("max.bf16x2 %0, %1, %2;" : "=r"(word) : "r"(a), "r"(b));
  return word;
}

#endif

}  // inline namespace MUSTER_ABI
}  // namespace muster::backend
