// Comparison of numbers of two types by their values. A signed and an unsigned integer compare as numbers: -1 is less than 1u, which the built-in operators deny.
#pragma once

#include <type_traits>

#include <muster/config.hpp>

MUSTER_BEGIN

namespace detail {

template <class T>
inline constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class A, class B>
inline constexpr bool signs_differ = is_integer<A> && is_integer<B> && std::is_signed_v<A> != std::is_signed_v<B>;

// A negative number is not in the unsigned type; all others are.
template <class T>
MUSTER_FN bool is_negative(T v) {
  if constexpr (std::is_signed_v<T>) return v < 0;
  else return false;
}
template <class T>
MUSTER_FN std::make_unsigned_t<T> magnitude(T v) {
  return static_cast<std::make_unsigned_t<T>>(v);
}

template <class A, class B>
MUSTER_FN bool equal(A a, B b) {
  if constexpr (signs_differ<A, B>) return !is_negative(a) && !is_negative(b) && magnitude(a) == magnitude(b);
  else return a == b;
}
template <class A, class B>
MUSTER_FN bool less(A a, B b) {
  if constexpr (signs_differ<A, B>) return !is_negative(b) && (is_negative(a) || magnitude(a) < magnitude(b));
  else return a < b;
}
template <class A, class B>
MUSTER_FN bool less_or_equal(A a, B b) {
  if constexpr (signs_differ<A, B>) return !less(b, a);
  else return a <= b;
}

}  // namespace detail

MUSTER_END
