// atomic_ref<T>: an object that several threads change at once, on both machines.
#pragma once

#include <type_traits>

#include <muster/backend/atomic.hpp>
#include <muster/backend/warp.hpp>
#include <muster/config.hpp>

MUSTER_BEGIN

namespace detail {

template <class T>
inline constexpr bool is_atomic_integer = std::is_integral_v<T> && !std::is_same_v<T, bool> && (sizeof(T) == 4 || sizeof(T) == 8);

template <class T>
struct atomic_ref_type {
  static_assert(is_atomic_integer<T> || std::is_same_v<T, float> || std::is_same_v<T, double>,
                "muster::atomic_ref<T>: T is an integer of 32 or 64 bits, float or double; put smaller values into a wider one");
  static constexpr bool value = true;
};

}  // namespace detail

// Refers to an object in global or shared memory; while a thread uses it through an atomic_ref, every thread does. Any lane may call any function by itself.
// Memory order: relaxed, so that an operation on this object orders no other object; use sync of a tile or block, or a fence, for that. Scope: all threads of the device
// (not the host or other devices). Cost: one atom, red, ld.relaxed or st.relaxed. Source: PTX ISA, "atom"; CUDA programming guide, "Atomic Functions".
// On the emulator an operation that leaves the object as it was lets other lanes run, so that a loop which waits for a change does not wait alone.
template <class T>
class atomic_ref {
  static_assert(detail::atomic_ref_type<T>::value);

 public:
  using value_type = T;

  MUSTER_FN explicit atomic_ref(T& object) : object_(&object) {}

  [[nodiscard]] MUSTER_FN T load() const {
    T const value = backend::atomic_load(object_);
    let_others_run();
    return value;
  }
  MUSTER_FN void store(T desired) const { backend::atomic_store(object_, desired); }

  // The functions below return what the object held before.
  MUSTER_FN T exchange(T desired) const { return seen(backend::atomic_exchange(object_, desired), desired); }

  // Puts `desired` if the object holds the bits of `expected`, and returns whether it did; otherwise `expected` becomes what the object held. Never fails without reason.
  MUSTER_FN bool compare_exchange_strong(T& expected, T desired) const {
    T const held = backend::atomic_compare_exchange(object_, expected, desired);
    bool const same = same_bits(held, expected);
    if (!same) let_others_run();
    expected = held;
    return same;
  }

  // Integers wrap. Floating-point sums depend on the order in which threads come.
  MUSTER_FN T fetch_add(T value) const {
    T const old = backend::atomic_add(object_, value);
    if (value == T(0)) let_others_run();
    return old;
  }
  MUSTER_FN T fetch_sub(T value) const {
    if constexpr (std::is_floating_point_v<T>) return fetch_add(-value);
    else return fetch_add(static_cast<T>(std::make_unsigned_t<T>(0) - static_cast<std::make_unsigned_t<T>>(value)));
  }
  MUSTER_FN T fetch_min(T value) const
    requires detail::is_atomic_integer<T>
  {
    T const old = backend::atomic_min(object_, value);
    return seen(old, value < old ? value : old);
  }
  MUSTER_FN T fetch_max(T value) const
    requires detail::is_atomic_integer<T>
  {
    T const old = backend::atomic_max(object_, value);
    return seen(old, old < value ? value : old);
  }
  MUSTER_FN T fetch_and(T value) const
    requires detail::is_atomic_integer<T>
  {
    T const old = backend::atomic_and(object_, value);
    return seen(old, old & value);
  }
  MUSTER_FN T fetch_or(T value) const
    requires detail::is_atomic_integer<T>
  {
    T const old = backend::atomic_or(object_, value);
    return seen(old, old | value);
  }
  MUSTER_FN T fetch_xor(T value) const
    requires detail::is_atomic_integer<T>
  {
    T const old = backend::atomic_xor(object_, value);
    return seen(old, old ^ value);
  }

 private:
  MUSTER_FN static bool same_bits(T a, T b) {
    using word = backend::atomic_word<T>;
    return backend::same_bits<word>(a) == backend::same_bits<word>(b);
  }
  MUSTER_FN static void let_others_run() {
#if !MUSTER_ON_DEVICE
    emulator::yield();
#endif
  }
  // The old value, after letting others run if the new one is the same.
  MUSTER_FN static T seen(T old, [[maybe_unused]] T now) {
#if !MUSTER_ON_DEVICE
    if (same_bits(old, now)) emulator::yield();
#endif
    return old;
  }

  T* object_;
};

MUSTER_END
