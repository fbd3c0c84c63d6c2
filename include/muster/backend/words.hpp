// A value of any size as 32-bit words: what the shuffle instructions move.
#pragma once

#include <cstddef>
#include <cstdint>

#include <muster/config.hpp>

namespace muster::backend {

template <std::size_t Bytes>
struct words {
  static constexpr int count = static_cast<int>((Bytes + 3) / 4);
  std::uint32_t word[count];
};

template <class T>
MUSTER_FN words<sizeof(T)> to_words(T const& value) {
  words<sizeof(T)> result;
#if MUSTER_ON_DEVICE
  if constexpr (sizeof(T) == 2) {  // twice, as packed arithmetic leaves it: no instruction then; zeros above cost one
    std::uint16_t half;
    __builtin_memcpy(&half, static_cast<void const*>(&value), 2);
    asm("mov.b32 %0, {%1, %1};" : "=r"(result.word[0]) : "h"(half));
    return result;
  }
#endif
  if constexpr (sizeof(T) % 4 != 0) result.word[result.count - 1] = 0;
  __builtin_memcpy(result.word, static_cast<void const*>(&value), sizeof(T));
  return result;
}

// `like` gives a live object to write the bytes into: T need not be default constructible.
template <class T>
MUSTER_FN T from_words(words<sizeof(T)> const& value, T const& like) {
  T result = like;
  __builtin_memcpy(static_cast<void*>(&result), value.word, sizeof(T));
  return result;
}

}  // namespace muster::backend
