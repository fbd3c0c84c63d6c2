// The operators that reductions and scans fold with, and what the library needs to know of one.
#pragma once

#include <limits>
#include <type_traits>

#include <muster/backend/math.hpp>
#include <muster/config.hpp>
#include <muster/core/monoid.hpp>

MUSTER_BEGIN

namespace detail {

// What a lane folds in when nothing arrives: leaves every bit of the other operand as it is.
template <class Op, class T>
MUSTER_FN T neutral_of() {
  if constexpr (requires { Op::template neutral<T>(); }) {
    return Op::template neutral<T>();
  } else {
    return Op::template identity<T>();
  }
}

// Integer arithmetic wraps, on both machines.
template <class T>
using wrapping = typename std::conditional_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, std::make_unsigned<T>, std::type_identity<T>>::type;

// Small integers would be promoted to int, where a product can overflow.
template <class T>
using wide_unsigned = std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, wrapping<T>>;

}  // namespace detail

// What the operators need of a number type. Specialise it for your own; half.hpp does so for CUDA's 16-bit types and their packed pairs.
template <class T>
struct numeric {
  using limits = std::numeric_limits<T>;
  static constexpr bool is_floating = std::is_floating_point_v<T>;
  static constexpr bool commutes = true;  // a + b and b + a, a * b and b * a have the same bits
  static constexpr T highest_value = limits::has_infinity ? limits::infinity() : limits::max();
  static constexpr T lowest_value = limits::has_infinity ? -limits::infinity() : limits::lowest();
  static constexpr T nan_value = limits::quiet_NaN();

  MUSTER_FN static T of(int n) { return static_cast<T>(n); }
  MUSTER_FN static T highest() {
    constexpr T value = highest_value;
    return value;
  }
  MUSTER_FN static T lowest() {
    constexpr T value = lowest_value;
    return value;
  }
  MUSTER_FN static T nan() {
    constexpr T value = nan_value;
    return value;
  }
  MUSTER_FN static T least(T a, T b) {
    if constexpr (is_floating) return backend::least_number(a, b);
    else return b < a ? b : a;
  }
  MUSTER_FN static T greatest(T a, T b) {
    if constexpr (is_floating) return backend::greatest_number(a, b);
    else return a < b ? b : a;
  }
};

// A type of one's own: only what + and * need. Whether they commute is not known, so lanes order their operands.
template <class T>
  requires(!std::numeric_limits<T>::is_specialized)
struct numeric<T> {
  static constexpr bool is_floating = false;
  static constexpr bool commutes = false;
  MUSTER_FN static T of(int n) { return T(n); }
  MUSTER_FN static T least(T const& a, T const& b) { return b < a ? b : a; }
  MUSTER_FN static T greatest(T const& a, T const& b) { return a < b ? b : a; }
};

namespace detail {

// Whether a lane may fold in either order: the results have the same bits.
template <class Op, class T>
inline constexpr bool commutes_bitwise = false;
template <class Op, class T>
  requires requires { Op::commutes_bitwise; }
inline constexpr bool commutes_bitwise<Op, T> = Op::commutes_bitwise && numeric<T>::commutes;

}  // namespace detail

// a + b; integers wrap. Any type with + and a value numeric<T>::of(0), T(0) unless specialised.
struct plus {
  static constexpr bool is_commutative = true;
  static constexpr bool commutes_bitwise = true;
  template <class T>
  MUSTER_FN T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<detail::wide_unsigned<T>>(a) + static_cast<detail::wide_unsigned<T>>(b));
    else return a + b;
  }
  template <class T>
  MUSTER_FN static T identity() {
    return numeric<T>::of(0);
  }
  template <class T>
  MUSTER_FN static T neutral() {
    if constexpr (numeric<T>::is_floating) return -numeric<T>::of(0);
    else return numeric<T>::of(0);
  }
};

// a · b; integers wrap. Any type with * and a value numeric<T>::of(1), T(1) unless specialised.
struct multiplies {
  static constexpr bool is_commutative = true;
  static constexpr bool commutes_bitwise = true;
  template <class T>
  MUSTER_FN T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<detail::wide_unsigned<T>>(a) * static_cast<detail::wide_unsigned<T>>(b));
    else return a * b;
  }
  template <class T>
  MUSTER_FN static T identity() {
    return numeric<T>::of(1);
  }
};

// The lesser. Floating-point: a NaN counts as missing, -0 is less than +0.
struct minimum {
  static constexpr bool is_commutative = true;
  static constexpr bool commutes_bitwise = true;
  static constexpr bool is_idempotent = true;
  template <class T>
  MUSTER_FN T operator()(T a, T b) const {
    return numeric<T>::least(a, b);
  }
  template <class T>
    requires requires { numeric<T>::highest(); }
  MUSTER_FN static T identity() {
    return numeric<T>::highest();
  }
  template <class T>
    requires requires { numeric<T>::highest(); }
  MUSTER_FN static T neutral() {
    if constexpr (numeric<T>::is_floating) return numeric<T>::nan();
    else return numeric<T>::highest();
  }
};

// The greater. Floating-point: a NaN counts as missing, +0 is greater than -0.
struct maximum {
  static constexpr bool is_commutative = true;
  static constexpr bool commutes_bitwise = true;
  static constexpr bool is_idempotent = true;
  template <class T>
  MUSTER_FN T operator()(T a, T b) const {
    return numeric<T>::greatest(a, b);
  }
  template <class T>
    requires requires { numeric<T>::lowest(); }
  MUSTER_FN static T identity() {
    return numeric<T>::lowest();
  }
  template <class T>
    requires requires { numeric<T>::lowest(); }
  MUSTER_FN static T neutral() {
    if constexpr (numeric<T>::is_floating) return numeric<T>::nan();
    else return numeric<T>::lowest();
  }
};

// a & b, a | b, a ^ b on integers.
struct bit_and {
  static constexpr bool is_commutative = true;
  static constexpr bool commutes_bitwise = true;
  static constexpr bool is_idempotent = true;
  template <class T>
    requires std::is_integral_v<T>
  MUSTER_FN T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
  template <class T>
  MUSTER_FN static T identity() {
    return static_cast<T>(~T(0));
  }
};
struct bit_or {
  static constexpr bool is_commutative = true;
  static constexpr bool commutes_bitwise = true;
  static constexpr bool is_idempotent = true;
  template <class T>
    requires std::is_integral_v<T>
  MUSTER_FN T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
  template <class T>
  MUSTER_FN static T identity() {
    return T(0);
  }
};
struct bit_xor {
  static constexpr bool is_commutative = true;
  static constexpr bool commutes_bitwise = true;
  template <class T>
    requires std::is_integral_v<T>
  MUSTER_FN T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
  template <class T>
  MUSTER_FN static T identity() {
    return T(0);
  }
};

MUSTER_END
