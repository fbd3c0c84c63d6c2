// Atomic operations on words of 4 and 8 bytes, relaxed, among all threads of the device (scope .gpu): instructions of a GPU, and the compiler's builtins on the CPU,
// where blocks run on several OS threads.
#pragma once

#include <type_traits>

#include <muster/config.hpp>

namespace muster::backend {

template <class T>
using atomic_word = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;

template <class To, class From>
MUSTER_FN To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

#if MUSTER_ON_DEVICE

template <class T>
__device__ T atomic_load(T const* object) {
  atomic_word<T> word;
  if constexpr (sizeof(T) == 4) {
    asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(word) : "l"(object) : "memory");
  } else {
    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(word) : "l"(object) : "memory");
  }
  return same_bits<T>(word);
}
template <class T>
__device__ void atomic_store(T* object, T value) {
  auto const word = same_bits<atomic_word<T>>(value);
  if constexpr (sizeof(T) == 4) {
    asm volatile("st.relaxed.gpu.u32 [%0], %1;" : : "l"(object), "r"(word) : "memory");
  } else {
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" : : "l"(object), "l"(word) : "memory");
  }
}

// The object as a word, and as what CUDA's overloads know: long is one of int and long long.
template <class T>
__device__ atomic_word<T>* as_word(T* object) {
  return reinterpret_cast<atomic_word<T>*>(object);
}
template <class T>
using cuda_integer = std::conditional_t<std::is_signed_v<T>, std::conditional_t<sizeof(T) == 4, int, long long>, atomic_word<T>>;

template <class T>
__device__ T atomic_exchange(T* object, T value) {
  return same_bits<T>(atomicExch(as_word(object), same_bits<atomic_word<T>>(value)));
}
template <class T>
__device__ T atomic_compare_exchange(T* object, T expected, T desired) {
  return same_bits<T>(atomicCAS(as_word(object), same_bits<atomic_word<T>>(expected), same_bits<atomic_word<T>>(desired)));
}
template <class T>
__device__ T atomic_add(T* object, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return atomicAdd(object, value);
  } else {
    return static_cast<T>(atomicAdd(as_word(object), static_cast<atomic_word<T>>(value)));
  }
}
template <class T>
__device__ T atomic_min(T* object, T value) {
  return static_cast<T>(atomicMin(reinterpret_cast<cuda_integer<T>*>(object), static_cast<cuda_integer<T>>(value)));
}
template <class T>
__device__ T atomic_max(T* object, T value) {
  return static_cast<T>(atomicMax(reinterpret_cast<cuda_integer<T>*>(object), static_cast<cuda_integer<T>>(value)));
}
template <class T>
__device__ T atomic_and(T* object, T value) {
  return static_cast<T>(atomicAnd(as_word(object), static_cast<atomic_word<T>>(value)));
}
template <class T>
__device__ T atomic_or(T* object, T value) {
  return static_cast<T>(atomicOr(as_word(object), static_cast<atomic_word<T>>(value)));
}
template <class T>
__device__ T atomic_xor(T* object, T value) {
  return static_cast<T>(atomicXor(as_word(object), static_cast<atomic_word<T>>(value)));
}

#else

template <class T>
T atomic_load(T const* object) {
  T value;
  __atomic_load(object, &value, __ATOMIC_RELAXED);
  return value;
}
template <class T>
void atomic_store(T* object, T value) {
  __atomic_store(object, &value, __ATOMIC_RELAXED);
}
template <class T>
T atomic_exchange(T* object, T value) {
  T old;
  __atomic_exchange(object, &value, &old, __ATOMIC_RELAXED);
  return old;
}
// Returns what the object held; it was `expected`, to the bit, if and only if the exchange was made.
template <class T>
T atomic_compare_exchange(T* object, T expected, T desired) {
  __atomic_compare_exchange(object, &expected, &desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}

// Replaces the object's value by change(value).
template <class T, class Change>
T atomic_change(T* object, Change const& change) {
  T old = atomic_load(object);
  for (;;) {
    T desired = change(old);
    if (__atomic_compare_exchange(object, &old, &desired, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return old;
  }
}
template <class T>
T atomic_add(T* object, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return atomic_change(object, [value](T old) { return old + value; });
  } else {
    return __atomic_fetch_add(object, value, __ATOMIC_RELAXED);
  }
}
template <class T>
T atomic_min(T* object, T value) {
  return atomic_change(object, [value](T old) { return value < old ? value : old; });
}
template <class T>
T atomic_max(T* object, T value) {
  return atomic_change(object, [value](T old) { return old < value ? value : old; });
}
template <class T>
T atomic_and(T* object, T value) {
  return __atomic_fetch_and(object, value, __ATOMIC_RELAXED);
}
template <class T>
T atomic_or(T* object, T value) {
  return __atomic_fetch_or(object, value, __ATOMIC_RELAXED);
}
template <class T>
T atomic_xor(T* object, T value) {
  return __atomic_fetch_xor(object, value, __ATOMIC_RELAXED);
}

#endif

}  // namespace muster::backend
