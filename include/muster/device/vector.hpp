// 16 bytes of a row at once: streaming loads and stores, and the conversions between them and the type that is computed in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <muster/backend/global_words.hpp>
#include <muster/config.hpp>
#include <muster/core/operators.hpp>

// CUDA's 16-bit types by name alone: whoever uses them includes muster/half.hpp.
struct __half;
struct __nv_bfloat16;

MUSTER_BEGIN

namespace device::detail {

inline constexpr int vector_bytes = 16;
inline constexpr int sector_bytes = 32, line_bytes = 128;  // of memory

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

// How many accesses of n values cover so many values, wherever they begin.
template <class Count>
MUSTER_FN constexpr Count most_covering(Count values, int n) {
  return (values + 2 * n - 2) / n;
}

// Bytes as they travel: 2, 4, 8, 16 or 32 of them, in words.
template <int Bytes>
struct alignas(Bytes < vector_bytes ? Bytes < 4 ? 4 : Bytes : vector_bytes) packed {
  static constexpr int count = (Bytes + 3) / 4;
  std::uint32_t word[count];
};
using vector = packed<vector_bytes>;

// Reads bytes; `from` is aligned to their number.
template <int Bytes, backend::reading How = Bytes == vector_bytes ? backend::reading::once : backend::reading::kept>
MUSTER_FN packed<Bytes> load_packed(void const* from) {
  packed<Bytes> v;
  backend::load_words<Bytes, How>(v.word, from);
  return v;
}

// Writes them; nobody reads them soon. `to` is aligned to the smaller of their number and 16.
template <int Bytes>
MUSTER_FN void store_packed(void* to, packed<Bytes> const& v) {
  backend::store_words<Bytes>(to, v.word);
}

// What was computed from v so far is not kept for later: the compiler would hold converted values in registers that it does not have, and spill them.
template <int Bytes>
MUSTER_FN void forget_conversions(packed<Bytes>& v) {
MUSTER_UNROLL
  for (int i = 0; i < packed<Bytes>::count; ++i) backend::forget(v.word[i]);
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

// Value i widened to A. A bfloat16 is the upper half of a float: nvcc 13.0 would move the one in a word's upper half down and up again.
template <class A, class T, int Bytes>
MUSTER_FN A widened_at(packed<Bytes> const& v, int i) {
  if constexpr (std::is_same_v<T, __nv_bfloat16> && std::is_same_v<A, float>) return bits_as<float>(i % 2 == 0 ? v.word[i / 2] << 16 : v.word[i / 2] & 0xffff0000u);
  else return static_cast<A>(value_at<T>(v, i));
}

// Two values rounded to the 16-bit type T, the first in the low half: one cvt.rn.f16x2.f32 or cvt.rn.bf16x2.f32.
template <class T>
MUSTER_FN std::uint32_t rounded_pair(float first, float second) {
#if MUSTER_ON_DEVICE
  if constexpr (std::is_same_v<T, __half>) return backend::rounded_to_halves(first, second);
  else if constexpr (std::is_same_v<T, __nv_bfloat16>) return backend::rounded_to_bfloat16s(first, second);
#endif
  return bits_as<std::uint16_t>(static_cast<T>(first)) | static_cast<std::uint32_t>(bits_as<std::uint16_t>(static_cast<T>(second))) << 16;
}

// The larger of each two values of T that lie in a word; a NaN counts as missing.
template <class T>
MUSTER_FN std::uint32_t larger_pair(std::uint32_t a, std::uint32_t b) {
#if MUSTER_ON_DEVICE
  if constexpr (std::is_same_v<T, __half>) return backend::larger_halves(a, b);
  else if constexpr (std::is_same_v<T, __nv_bfloat16>) return backend::larger_bfloat16s(a, b);
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
    return maximum{}(widened_at<float, T>(result, 0), widened_at<float, T>(result, 1));
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

// The 16 bytes from byte `bytes` of `low` and `high` together on: a number of values of T, below 16 bytes.
template <class T>
MUSTER_FN vector shifted(vector const& low, vector const& high, int bytes) {
  std::uint32_t by_two[6], by_one[5];
MUSTER_UNROLL
  for (int i = 0; i < 6; ++i) {
    std::uint32_t const near = i < 4 ? low.word[i < 4 ? i : 0] : high.word[i < 4 ? 0 : i - 4], far = i < 2 ? low.word[i < 2 ? i + 2 : 0] : high.word[i < 2 ? 0 : i - 2];
    by_two[i] = bytes & 8 ? far : near;
  }
MUSTER_UNROLL
  for (int i = 0; i < 5; ++i) by_one[i] = bytes & 4 ? by_two[i + 1] : by_two[i];
  vector result;
MUSTER_UNROLL
  for (int i = 0; i < 4; ++i) {
    if constexpr (sizeof(T) >= 4) result.word[i] = by_one[i];
    else result.word[i] = static_cast<std::uint32_t>((static_cast<std::uint64_t>(by_one[i + 1]) << 32 | by_one[i]) >> (bytes & 2 ? 16 : 0));
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
