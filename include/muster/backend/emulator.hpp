// The same functions as backend/cuda.hpp, answered by the CPU emulator: every host pass of a kernel, with or without a CUDA toolkit.
#pragma once

#include <cstddef>
#include <cstdint>

#include <muster/config.hpp>
#include <muster/core/extent.hpp>
#include <muster/core/fold_operation.hpp>
#include <muster/core/redux_operation.hpp>
#include <muster/core/shuffle_mode.hpp>
#include <muster/core/site.hpp>
#include <muster/emulator/runtime.hpp>

#if !MUSTER_ON_DEVICE

namespace muster::backend {

inline int lane() { return emulator::here().linear % 32; }
inline extent thread_index() { return emulator::here().thread; }
inline extent block_index() { return emulator::here().block; }
inline extent block_shape() { return emulator::here().block_dim; }
inline extent grid_shape() { return emulator::here().grid_dim; }

// A number for each type, from the address of an object of its own.
template <class Call>
unsigned number_of_call() {
  static char const own = 0;
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(&own));
}

// A call on values of T: lanes that hold different types do not exchange their bits, unless an algorithm makes the call, which says more.
template <class T>
site with_type(site where) {
  if (where.call == 0) where.call = number_of_call<T>();
  return where;
}

template <shuffle_mode Mode, class T>
T shuffle(std::uint32_t membermask, T const& value, unsigned b, unsigned c, site where) {
  T result = value;
  emulator::shuffle(Mode, membermask, &value, static_cast<void*>(&result), sizeof(T), b, c, with_type<T>(where));
  return result;
}

template <shuffle_mode Mode, class T>
T shuffle_or(std::uint32_t membermask, T const& value, unsigned b, unsigned c, T const& fill, site where) {
  T result = value;
  return emulator::shuffle(Mode, membermask, &value, static_cast<void*>(&result), sizeof(T), b, c, with_type<T>(where)) ? result : fill;
}

// A GPU folds inside the instruction; here the general way serves.
template <fold_operation Operation, class T>
inline constexpr bool has_guarded_fold = false;
template <shuffle_mode Mode, fold_operation Operation, unsigned LaneBits, class T>
T guarded_fold(std::uint32_t membermask, T value, unsigned b, unsigned c, int lane, site where);

// The lowest and the highest bit that is set; -1 if none is.
inline int first_bit(std::uint32_t bits) { return bits == 0 ? -1 : 31 - __builtin_clz(bits & (0u - bits)); }
inline int last_bit(std::uint32_t bits) { return bits == 0 ? -1 : 31 - __builtin_clz(bits); }

inline std::uint32_t ballot(std::uint32_t membermask, bool predicate, site where) { return emulator::ballot(membermask, predicate, where); }
inline bool any(std::uint32_t membermask, bool predicate, site where) { return emulator::any(membermask, predicate, where); }
inline bool all(std::uint32_t membermask, bool predicate, site where) { return emulator::all(membermask, predicate, where); }

template <class T>
std::uint32_t match_any(std::uint32_t membermask, T const& value, site where) {
  return emulator::match_any(membermask, &value, sizeof(T), with_type<T>(where));
}
template <class T>
std::uint32_t match_all(std::uint32_t membermask, T const& value, site where) {
  return emulator::match_all(membermask, &value, sizeof(T), with_type<T>(where));
}

template <redux_operation Operation>
std::uint32_t redux(std::uint32_t membermask, std::uint32_t value, site where) {
  return emulator::redux(Operation, membermask, value, where);
}

inline void* dynamic_shared_memory() { return emulator::dynamic_shared_memory(); }
inline std::size_t dynamic_shared_bytes() { return emulator::dynamic_shared_bytes(); }

inline void sync_warp(std::uint32_t membermask, site where) { emulator::sync_warp(membermask, where); }
inline void sync_block(site where) { emulator::sync_block(where); }

// A GPU's compiler is kept from working the address out again (cuda.hpp).
template <class T>
T* kept_address(T* in_shared_memory) {
  return in_shared_memory;
}

// How a GPU's compiler is told what it cannot see, or should not (cuda.hpp).
inline bool same_in_warp(bool condition) { return condition; }
inline int asked_anew(int number) { return number; }
inline void keep_branch() {}

// The barrier of a block's algorithm; Call stands for the algorithm and its types.
template <class Call>
void meet_block(void const* memory, int number, site where) {
  static char const what = 0;
  emulator::meet_block({&what, memory, number}, where);
}

}  // namespace muster::backend

#endif
