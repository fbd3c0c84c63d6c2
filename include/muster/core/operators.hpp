// The operators that reductions and scans fold with, and what the library needs to know of one.
#pragma once

#include <concepts>
#include <limits>
#include <type_traits>

#include <muster/backend/math.hpp>
#include <muster/config.hpp>

MUSTER_BEGIN

// An operator is a struct with operator()(a, b) and
//   identity<T>()        required: identity · v == v; what exclusive_scan gives rank 0
//   is_commutative       required: a · b == b · a
//   neutral<T>()         optional: an identity to the bit, where `identity` is not one (-0.0 for a floating-point sum)
//   commutes_bitwise     optional: a · b and b · a have the same bits (NaN payloads aside); then no lane has to order its operands
//   is_idempotent        optional: a · a == a
// A fold is associative by contract; the library never regroups beyond that. It takes and gives T itself: what converts on the way, an
// operator on int among floats, would lose a part of every partial result in silence. That is monoid_for, below.
namespace detail {

template <class Given, class T>
concept just = std::same_as<std::remove_cvref_t<Given>, T>;

// The operands of an operator() that is one function and no template. Overloads and templates are asked with T alone.
template <class F, class T>
inline constexpr bool operands_are = false;
template <class R, class C, class A, class B, class T>
inline constexpr bool operands_are<R (C::*)(A, B) const, T> = just<A, T> && just<B, T>;
template <class R, class C, class A, class B, class T>
inline constexpr bool operands_are<R (C::*)(A, B) const noexcept, T> = just<A, T> && just<B, T>;

template <class Op, class T>
inline constexpr bool converts_no_operand = true;
template <class Op, class T>
  requires requires { &Op::operator(); }
inline constexpr bool converts_no_operand<Op, T> = operands_are<decltype(&Op::operator()), T>;

template <class Op, class T>
concept folds_some = requires(Op const& op, T const& a, T const& b) {
  op(a, b);
  Op::template identity<T>();
  { Op::is_commutative } -> std::convertible_to<bool>;
};

}  // namespace detail

template <class Op, class T>
concept monoid_for = detail::folds_some<Op, T> && detail::converts_no_operand<Op, T> && requires(Op const& op, T const& a, T const& b) {
  { op(a, b) } -> detail::just<T>;
  { Op::template identity<T>() } -> detail::just<T>;
};

namespace detail {

template <class Op, class T>
struct operator_is_a_monoid {
  static_assert(folds_some<Op, T>,
                "muster: a fold needs an associative operator with an identity: a struct with operator()(T, T) const, identity<T>() and is_commutative, as muster::plus has; "
                "a difference or a quotient is not one; for function objects of std:: and cuda:: as_operator(std::plus<>{}) of <muster/interop.hpp>");
  static_assert(!folds_some<Op, T> || monoid_for<Op, T>,
                "muster: this operator takes or gives another type than the values of the fold, so that every partial result would be converted: operator()(T, T) and "
                "identity<T>() return T itself and the operands are T; convert the values before the call, or make the operator a template");
  static constexpr bool value = true;
};

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
