// What a compiler's -fsanitize=thread calls at every access to memory, at atomic operations and fences: passed to the emulator, which looks at those of a kernel to shared
// memory. A program is compiled with that option and linked without it: these functions stand where ThreadSanitizer's run time would.
// Source: the interface between compilers and run time, LLVM's compiler-rt/lib/tsan (tsan_interface.h, tsan_interface_atomic.h), which GCC shares.
#include <cstddef>
#include <cstring>

#include "emulator/access_history.hpp"
#include "racecheck/source_lines.hpp"

namespace {

using muster::emulator::detail::access_kind;
using muster::emulator::detail::let_others_run;
using muster::emulator::detail::note_access;
using muster::emulator::detail::note_fence;

bool acquires(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }

// An atomic operation has been done. One that left the object as it was lets others run: a loop may wait for another outcome.
enum class outcome { read, left_the_same, changed };
template <class T>
void note_atomic(T volatile const* object, outcome what, int order, void const* from) {
  note_access(what == outcome::read ? access_kind::atomic_read : access_kind::atomic_write, const_cast<T const*>(object), sizeof(T), from);
  if (acquires(order)) note_fence();
  if (what != outcome::changed) let_others_run();
}
template <class T>
outcome change_from(T before, T after) {
  return before == after ? outcome::left_the_same : outcome::changed;
}

// What PTX makes of volatile accesses: relaxed atomic ones (PTX ISA, "Memory Consistency Model").
void note_volatile(access_kind kind, void const* address, std::size_t bytes, void const* from) {
  note_access(kind, address, bytes, from);
  if (kind == access_kind::atomic_read) let_others_run();
}

}  // namespace

#define MUSTER_CALLER __builtin_return_address(0)

#define MUSTER_ACCESSES(BYTES)                                                                                                          \
  void __tsan_read##BYTES(void* p) { note_access(access_kind::read, p, BYTES, MUSTER_CALLER); }                                         \
  void __tsan_write##BYTES(void* p) { note_access(access_kind::write, p, BYTES, MUSTER_CALLER); }                                       \
  void __tsan_unaligned_read##BYTES(void* p) { note_access(access_kind::read, p, BYTES, MUSTER_CALLER); }                               \
  void __tsan_unaligned_write##BYTES(void* p) { note_access(access_kind::write, p, BYTES, MUSTER_CALLER); }                             \
  void __tsan_volatile_read##BYTES(void* p) { note_volatile(access_kind::atomic_read, p, BYTES, MUSTER_CALLER); }                                \
  void __tsan_volatile_write##BYTES(void* p) { note_volatile(access_kind::atomic_write, p, BYTES, MUSTER_CALLER); }                              \
  void __tsan_unaligned_volatile_read##BYTES(void* p) { note_volatile(access_kind::atomic_read, p, BYTES, MUSTER_CALLER); }                      \
  void __tsan_unaligned_volatile_write##BYTES(void* p) { note_volatile(access_kind::atomic_write, p, BYTES, MUSTER_CALLER); }                    \
  void __tsan_read_write##BYTES(void* p) { note_access(access_kind::write, p, BYTES, MUSTER_CALLER); }                                  \
  void __tsan_unaligned_read_write##BYTES(void* p) { note_access(access_kind::write, p, BYTES, MUSTER_CALLER); }

#define MUSTER_FETCH(BITS, T, NAME, BUILTIN, CHANGED)                                                  \
  T __tsan_atomic##BITS##_fetch_##NAME(T volatile* p, T value, int order) {                           \
    T const old = BUILTIN(p, value, __ATOMIC_SEQ_CST);                                                \
    note_atomic(p, change_from(old, static_cast<T>(CHANGED)), order, MUSTER_CALLER);                  \
    return old;                                                                                       \
  }

#define MUSTER_COMPARE_EXCHANGE(BITS, T, NAME)                                                                               \
  int __tsan_atomic##BITS##_compare_exchange_##NAME(T volatile* p, T* expected, T desired, int order, int order_of_failure) { \
    bool const done = __atomic_compare_exchange_n(p, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);           \
    note_atomic(p, done ? outcome::changed : outcome::read, done ? order : order_of_failure, MUSTER_CALLER);                                                    \
    return done ? 1 : 0;                                                                                                     \
  }

#define MUSTER_ATOMICS(BITS, T)                                                                                              \
  T __tsan_atomic##BITS##_load(T volatile const* p, int order) {                                                             \
    T const value = __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                                    \
    note_atomic(p, outcome::read, order, MUSTER_CALLER);                                                                             \
    return value;                                                                                                            \
  }                                                                                                                          \
  void __tsan_atomic##BITS##_store(T volatile* p, T value, int) {                                                            \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                                            \
    note_atomic(p, outcome::changed, __ATOMIC_RELEASE, MUSTER_CALLER);                                                                   \
  }                                                                                                                          \
  T __tsan_atomic##BITS##_exchange(T volatile* p, T value, int order) {                                                      \
    T const old = __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                                                           \
    note_atomic(p, change_from(old, value), order, MUSTER_CALLER);                                                                              \
    return old;                                                                                                              \
  }                                                                                                                          \
  T __tsan_atomic##BITS##_compare_exchange_val(T volatile* p, T expected, T desired, int order, int order_of_failure) {      \
    bool const done = __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);         \
    note_atomic(p, done ? outcome::changed : outcome::read, done ? order : order_of_failure, MUSTER_CALLER);                                                    \
    return expected;                                                                                                         \
  }                                                                                                                          \
  MUSTER_COMPARE_EXCHANGE(BITS, T, strong)                                                                                   \
  MUSTER_COMPARE_EXCHANGE(BITS, T, weak)                                                                                     \
  MUSTER_FETCH(BITS, T, add, __atomic_fetch_add, old + value)                                                                             \
  MUSTER_FETCH(BITS, T, sub, __atomic_fetch_sub, old - value)                                                                             \
  MUSTER_FETCH(BITS, T, and, __atomic_fetch_and, old & value)                                                                             \
  MUSTER_FETCH(BITS, T, or, __atomic_fetch_or, old | value)                                                                               \
  MUSTER_FETCH(BITS, T, xor, __atomic_fetch_xor, old ^ value)                                                                             \
  MUSTER_FETCH(BITS, T, nand, __atomic_fetch_nand, ~(old & value))

extern "C" {

// Before main: each source that was compiled so calls it.
void __tsan_init() { muster::emulator::detail::watch_accesses(&muster::racecheck::line_of); }
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

MUSTER_ACCESSES(1)
MUSTER_ACCESSES(2)
MUSTER_ACCESSES(4)
MUSTER_ACCESSES(8)
MUSTER_ACCESSES(16)
void __tsan_read_range(void* p, unsigned long bytes) { note_access(access_kind::read, p, bytes, MUSTER_CALLER); }
void __tsan_write_range(void* p, unsigned long bytes) { note_access(access_kind::write, p, bytes, MUSTER_CALLER); }
void __tsan_vptr_read(void** p) { note_access(access_kind::read, p, sizeof *p, MUSTER_CALLER); }
void __tsan_vptr_update(void** p, void*) { note_access(access_kind::write, p, sizeof *p, MUSTER_CALLER); }

void* __tsan_memcpy(void* to, void const* from, unsigned long bytes) {
  note_access(access_kind::read, from, bytes, MUSTER_CALLER);
  note_access(access_kind::write, to, bytes, MUSTER_CALLER);
  return std::memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, void const* from, unsigned long bytes) {
  note_access(access_kind::read, from, bytes, MUSTER_CALLER);
  note_access(access_kind::write, to, bytes, MUSTER_CALLER);
  return std::memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int byte, unsigned long bytes) {
  note_access(access_kind::write, to, bytes, MUSTER_CALLER);
  return std::memset(to, byte, bytes);
}

MUSTER_ATOMICS(8, unsigned char)
MUSTER_ATOMICS(16, unsigned short)
MUSTER_ATOMICS(32, unsigned)
MUSTER_ATOMICS(64, unsigned long)
void __tsan_atomic_thread_fence(int) {
  note_fence();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

}  // extern "C"
