// 16 bytes of a row at once: streaming loads and stores, and the conversions between them and the type that is computed in.
// The inline PTX of loads, stores and packed conversions stands here; that of clusters in backend/blocks.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/operators.hpp>

// CUDA's 16-bit types by name alone: whoever uses them includes muster/half.hpp.
struct __half;
struct __nv_bfloat16;

MUSTER_BEGIN

namespace device::detail {

inline constexpr int vector_bytes = 16;

// The bytes of `from` as a To. nvcc 13.0's front end ends with an internal error at __builtin_bit_cast of a __half.
template <class To, class From>
MUSTER_FN To bits_as(From const& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(static_cast<void*>(&to), static_cast<void const*>(&from), sizeof to);
  return to;
}

// How many values of T a vector has.
template <class T>
inline constexpr int vector_size = vector_bytes / static_cast<int>(sizeof(T));

// Bytes as they travel: 2, 4, 8, 16 or 32 of them, in words.
template <int Bytes>
struct alignas(Bytes < vector_bytes ? Bytes < 4 ? 4 : Bytes : vector_bytes) packed {
  static constexpr int count = (Bytes + 3) / 4;
  std::uint32_t word[count];
};
using vector = packed<vector_bytes>;

// Reads bytes that nobody writes before this thread has them. Unless Keep, they take no place in L1: for whole sectors that are read once. `from` is aligned to their
// number.
template <int Bytes, bool Keep = Bytes != 16>
MUSTER_FN packed<Bytes> load_packed(void const* from) {
  packed<Bytes> v;
#if MUSTER_ON_DEVICE
  if constexpr (Bytes == 16 && Keep) {
    asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3]) : "l"(from));
  } else if constexpr (Bytes == 16) {
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3])
                 : "l"(from));
  } else if constexpr (Bytes == 8) {
    asm volatile("ld.global.nc.v2.u32 {%0, %1}, [%2];" : "=r"(v.word[0]), "=r"(v.word[1]) : "l"(from));
  } else if constexpr (Bytes == 4) {
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(v.word[0]) : "l"(from));
  } else {
    std::uint16_t half;
    asm volatile("ld.global.nc.u16 %0, [%1];" : "=h"(half) : "l"(from));
    v.word[0] = half;
  }
#else
  v.word[0] = 0;
  __builtin_memcpy(v.word, from, Bytes);
#endif
  return v;
}

// Writes them; nobody reads them soon. `to` is aligned to the smaller of their number and 16.
template <int Bytes>
MUSTER_FN void store_packed(void* to, packed<Bytes> const& v) {
#if MUSTER_ON_DEVICE
  if constexpr (Bytes == 2) {
    asm volatile("st.global.cs.u16 [%0], %1;" ::"l"(to), "h"(static_cast<std::uint16_t>(v.word[0])) : "memory");
  } else if constexpr (Bytes == 4) {
    asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(to), "r"(v.word[0]) : "memory");
  } else if constexpr (Bytes == 8) {
    asm volatile("st.global.cs.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(v.word[0]), "r"(v.word[1]) : "memory");
  } else {
MUSTER_UNROLL
    for (int i = 0; i < packed<Bytes>::count; i += 4) {
      asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(static_cast<char*>(to) + i * 4), "r"(v.word[i]), "r"(v.word[i + 1]), "r"(v.word[i + 2]),
                   "r"(v.word[i + 3])
                   : "memory");
    }
  }
#else
  __builtin_memcpy(to, v.word, Bytes);
#endif
}

// What was computed from v so far is not kept for later: the compiler would hold converted values in registers that it does not have, and spill them.
template <int Bytes>
MUSTER_FN void forget_conversions([[maybe_unused]] packed<Bytes>& v) {
#if MUSTER_ON_DEVICE
MUSTER_UNROLL
  for (int i = 0; i < packed<Bytes>::count; ++i) asm volatile("" : "+r"(v.word[i]));
#endif
}

// Value i of packed values of T; i is a constant after unrolling.
template <class T, int Bytes>
MUSTER_FN T value_at(packed<Bytes> const& v, int i) {
  if constexpr (sizeof(T) == 2) {
    std::uint16_t const bits = static_cast<std::uint16_t>(i % 2 == 0 ? v.word[i / 2] : v.word[i / 2] >> 16);
    return bits_as<T>(bits);
  } else if constexpr (sizeof(T) == 4) {
    return bits_as<T>(v.word[i]);
  } else {
    return bits_as<T>(static_cast<std::uint64_t>(v.word[2 * i + 1]) << 32 | v.word[2 * i]);
  }
}

template <class T, int Bytes>
MUSTER_FN void put_value(packed<Bytes>& v, int i, T value) {
  if constexpr (sizeof(T) == 2) {
    std::uint32_t const bits = bits_as<std::uint16_t>(value);
    v.word[i / 2] = i % 2 == 0 ? (v.word[i / 2] & 0xffff0000u) | bits : (v.word[i / 2] & 0x0000ffffu) | bits << 16;
  } else if constexpr (sizeof(T) == 4) {
    v.word[i] = bits_as<std::uint32_t>(value);
  } else {
    std::uint64_t const bits = bits_as<std::uint64_t>(value);
    v.word[2 * i] = static_cast<std::uint32_t>(bits);
    v.word[2 * i + 1] = static_cast<std::uint32_t>(bits >> 32);
  }
}

// Two values rounded to the 16-bit type T, the first in the low half: one cvt.rn.f16x2.f32 or cvt.rn.bf16x2.f32.
template <class T>
MUSTER_FN std::uint32_t rounded_pair(float first, float second) {
#if MUSTER_ON_DEVICE
  std::uint32_t word;
  if constexpr (std::is_same_v<T, __half>) {
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
    return word;
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
    return word;
  }
#endif
  return bits_as<std::uint16_t>(static_cast<T>(first)) | static_cast<std::uint32_t>(bits_as<std::uint16_t>(static_cast<T>(second))) << 16;
}

// The larger of each two values of T that lie in a word; a NaN counts as missing.
template <class T>
MUSTER_FN std::uint32_t larger_pair(std::uint32_t a, std::uint32_t b) {
#if MUSTER_ON_DEVICE
  std::uint32_t word;
  if constexpr (std::is_same_v<T, __half>) {
    asm("max.f16x2 %0, %1, %2;" : "=r"(word) : "r"(a), "r"(b));
    return word;
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    asm("max.bf16x2 %0, %1, %2;" : "=r"(word) : "r"(a), "r"(b));
    return word;
  }
#endif
  packed<4> const first{{a}}, second{{b}};
  packed<4> result{};
  for (int i = 0; i < 2; ++i) put_value(result, i, numeric<T>::greatest(value_at<T>(first, i), value_at<T>(second, i)));
  return result.word[0];
}

// The largest of the 16-bit values of `Slots` accesses that v.get(s) gives, pair by pair.
template <class T, int Slots, class Accesses>
MUSTER_FN float largest_of_pairs(Accesses const& v) {
  if constexpr (Accesses::bytes == 2) {
    float result = static_cast<float>(value_at<T>(v.get(0), 0));
MUSTER_UNROLL
    for (int s = 1; s < Slots; ++s) result = maximum{}(result, static_cast<float>(value_at<T>(v.get(s), 0)));
    return result;
  } else {
    packed<4> result{{v.get(0).word[0]}};
MUSTER_UNROLL
    for (int s = 0; s < Slots; ++s) {
      auto const access = v.get(s);
MUSTER_UNROLL
      for (int i = 0; i < access.count; ++i) result.word[0] = larger_pair<T>(result.word[0], access.word[i]);
    }
    return maximum{}(static_cast<float>(value_at<T>(result, 0)), static_cast<float>(value_at<T>(result, 1)));
  }
}

// Values rounded to T, packed.
template <class T, class A, int N>
MUSTER_FN packed<N * static_cast<int>(sizeof(T))> rounded(A const (&values)[N]) {
  packed<N * static_cast<int>(sizeof(T))> result{};
  if constexpr (sizeof(T) == 2 && N > 1 && std::is_same_v<A, float>) {
MUSTER_UNROLL
    for (int i = 0; i < N; i += 2) result.word[i / 2] = rounded_pair<T>(values[i], values[i + 1]);
  } else {
MUSTER_UNROLL
    for (int i = 0; i < N; ++i) put_value(result, i, static_cast<T>(values[i]));
  }
  return result;
}

// Stores the values of T that lie in bytes [begin, end) of v, where v would lie at `to`; not all of them, and up to an end of v: in pieces of 8, 4 and 2 bytes,
// each stored once. `to` is aligned to 16 bytes; it may be shared memory.
template <class T>
MUSTER_FN void store_end(void* to, vector const& v, int begin, int end) {
  bool const head = begin > 0;
  int const length = end - begin;
  auto const put = [&](int offset, auto piece) {
    __builtin_memcpy(__builtin_assume_aligned(static_cast<char*>(to) + offset, sizeof piece), &piece, sizeof piece);
  };
  if (length & 8) {
    if (head) put(8, static_cast<std::uint64_t>(v.word[3]) << 32 | v.word[2]);
    else put(0, static_cast<std::uint64_t>(v.word[1]) << 32 | v.word[0]);
  }
  if constexpr (sizeof(T) <= 4) {
    if (length & 4) {
      // In a head, word 1 or 3; in a tail, word 0 or 2.
      int const place = head ? (length & 8 ? 4 : 12) : length & 8;
      put(place, head ? (length & 8 ? v.word[1] : v.word[3]) : (length & 8 ? v.word[2] : v.word[0]));
    }
  }
  if constexpr (sizeof(T) == 2) {
    if (length & 2) {
      int const place = head ? begin : end - 2;
      std::uint32_t const low = place & 4 ? v.word[1] : v.word[0], high = place & 4 ? v.word[3] : v.word[2];
      std::uint32_t const word = place & 8 ? high : low;
      put(place, static_cast<std::uint16_t>(head ? word >> 16 : word));
    }
  }
}

}  // namespace device::detail

MUSTER_END
