// uniform<T, Group>: a value that is the same in every member of one's tile, and says so in its type.
#pragma once

#include <concepts>
#include <type_traits>

#include <muster/backend/check.hpp>
#include <muster/config.hpp>
#include <muster/core/constant.hpp>
#include <muster/core/number_comparison.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform_conversions.hpp>
#include <muster/core/value_traits.hpp>

MUSTER_BEGIN

// Comes from any, all, broadcast, reduce, from index queries, and from as_uniform, which states it. Arithmetic, comparison and logic among uniforms of one group,
// and with constant<N>, give uniforms of that group; arithmetic with a plain value gives a plain value. Converts to T. Where several tiles share the token it is no
// condition, no `switch`, and does not compare with a plain value, so that native control flow cannot part the tiles. No default, and no assignment: one made in a
// narrowed scope would leave members with different values, and its type would not show it; collect in a plain T. Cost: none, it is a T.
template <class T, class Group>
class MUSTER_RESULT uniform : public detail::uniform_conversions<T, Group> {
 public:
  using value_type = T;
  using group = Group;

  // User-provided on purpose: a trivially copyable value could be forged by bit_cast.
  MUSTER_FN uniform(uniform const& other) : detail::uniform_conversions<T, Group>(), value_(other.value_) {}
  uniform& operator=(uniform const&) = delete;

  // From a value that is uniform in the block, which then is so in each tile; from other groups an error that says why.
  template <class U, class Other>
    requires(!std::same_as<Other, Group> && std::is_convertible_v<U, T>)
  MUSTER_FN uniform(uniform<U, Other> const& other) : value_(static_cast<T>(other.value())) {
    static_assert(detail::is_uniform_in<Group, Other>::value);
  }

  // The plain value of this lane: the way out.
  MUSTER_FN T value() const { return value_; }

 private:
  MUSTER_FN explicit uniform(T value) : value_(value) {}
  friend struct detail::mint;
  T value_;
};

namespace detail {

template <class T>
inline constexpr bool is_uniform = false;
template <class T, class Group>
inline constexpr bool is_uniform<uniform<T, Group>> = true;
template <class T, class Group>
inline constexpr bool states_a_group<uniform<T, Group>> = true;
template <class T>
inline constexpr bool is_constant = false;
template <int N>
inline constexpr bool is_constant<constant<N>> = true;

template <class T>
MUSTER_FN T plain(T value) {
  return value;
}
template <class T, class Group>
MUSTER_FN T plain(uniform<T, Group> const& value) {
  return value.value();
}
template <int N>
MUSTER_FN int plain(constant<N>) {
  return N;
}

// What an operator on A and B gives, one of which is a uniform: uniform if both are uniform or constant, plain otherwise.
template <class A, class B>
struct uniform_result {
  template <class T>
  MUSTER_FN static T of(T value) {
    return value;
  }
};
template <class A, class GroupA, class B, class GroupB>
struct uniform_result<uniform<A, GroupA>, uniform<B, GroupB>> {
  template <class T>
  MUSTER_FN static auto of(T value) {
    return mint::make<uniform<T, typename joined_group<GroupA, GroupB>::type>>(value);
  }
};
template <class A, class Group, int N>
struct uniform_result<uniform<A, Group>, constant<N>> {
  template <class T>
  MUSTER_FN static auto of(T value) {
    return mint::make<uniform<T, Group>>(value);
  }
};
template <class A, class Group, int N>
struct uniform_result<constant<N>, uniform<A, Group>> : uniform_result<uniform<A, Group>, constant<N>> {};

// A comparison with a plain value is a plain bool, which would part the tiles just as the conversion does.
template <class A, class B>
struct comparison_result : uniform_result<A, B> {};
template <class A, class Group, class B>
  requires(!is_uniform<B> && !is_constant<B>)
struct comparison_result<uniform<A, Group>, B> : uniform_result<uniform<A, Group>, B> {
  static_assert(tiles_of_a_token_may_part_ways<Group>::value);
};
template <class A, class B, class Group>
  requires(!is_uniform<A> && !is_constant<A>)
struct comparison_result<A, uniform<B, Group>> : uniform_result<A, uniform<B, Group>> {
  static_assert(tiles_of_a_token_may_part_ways<Group>::value);
};

template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T> || is_constant<T>;

// Operands of the operators below: at least one uniform, the other a uniform or a number.
template <class A, class B>
concept uniform_operands = (is_uniform<A> && (is_uniform<B> || is_number<B>)) || (is_number<A> && is_uniform<B>);

// Of the comparisons: also a uniform of any type, an enumeration or a pointer too, with a plain value of it.
template <class Plain, class Uniform>
concept plain_value_of = is_uniform<Uniform> && !is_uniform<Plain> && std::is_convertible_v<Plain, typename Uniform::value_type>;
template <class A, class B>
concept uniform_comparands = uniform_operands<A, B> || plain_value_of<A, B> || plain_value_of<B, A>;

}  // namespace detail

template <class A, class B>
  requires detail::uniform_operands<A, B>
MUSTER_FN auto operator+(A a, B b) {
  return detail::uniform_result<A, B>::of(detail::plain(a) + detail::plain(b));
}
template <class A, class B>
  requires detail::uniform_operands<A, B>
MUSTER_FN auto operator-(A a, B b) {
  return detail::uniform_result<A, B>::of(detail::plain(a) - detail::plain(b));
}
template <class A, class B>
  requires detail::uniform_operands<A, B>
MUSTER_FN auto operator*(A a, B b) {
  return detail::uniform_result<A, B>::of(detail::plain(a) * detail::plain(b));
}
template <class A, class B>
  requires detail::uniform_operands<A, B>
MUSTER_FN auto operator/(A a, B b) {
  return detail::uniform_result<A, B>::of(detail::plain(a) / detail::plain(b));
}
template <class A, class B>
  requires detail::uniform_operands<A, B>
MUSTER_FN auto operator%(A a, B b) {
  return detail::uniform_result<A, B>::of(detail::plain(a) % detail::plain(b));
}
template <class A, class B>
  requires detail::uniform_comparands<A, B>
MUSTER_FN auto operator==(A a, B b) {
  return detail::comparison_result<A, B>::of(detail::equal(detail::plain(a), detail::plain(b)));
}
template <class A, class B>
  requires detail::uniform_comparands<A, B>
MUSTER_FN auto operator!=(A a, B b) {
  return detail::comparison_result<A, B>::of(!detail::equal(detail::plain(a), detail::plain(b)));
}
template <class A, class B>
  requires detail::uniform_comparands<A, B>
MUSTER_FN auto operator<(A a, B b) {
  return detail::comparison_result<A, B>::of(detail::less(detail::plain(a), detail::plain(b)));
}
template <class A, class B>
  requires detail::uniform_comparands<A, B>
MUSTER_FN auto operator<=(A a, B b) {
  return detail::comparison_result<A, B>::of(detail::less_or_equal(detail::plain(a), detail::plain(b)));
}
template <class A, class B>
  requires detail::uniform_comparands<A, B>
MUSTER_FN auto operator>(A a, B b) {
  return detail::comparison_result<A, B>::of(detail::less(detail::plain(b), detail::plain(a)));
}
template <class A, class B>
  requires detail::uniform_comparands<A, B>
MUSTER_FN auto operator>=(A a, B b) {
  return detail::comparison_result<A, B>::of(detail::less_or_equal(detail::plain(b), detail::plain(a)));
}
// Both sides are evaluated: an overloaded && does not stop early.
template <class A, class B>
  requires detail::uniform_operands<A, B>
MUSTER_FN auto operator&&(A a, B b) {
  return detail::comparison_result<A, B>::of(static_cast<bool>(detail::plain(a)) && static_cast<bool>(detail::plain(b)));
}
template <class A, class B>
  requires detail::uniform_operands<A, B>
MUSTER_FN auto operator||(A a, B b) {
  return detail::comparison_result<A, B>::of(static_cast<bool>(detail::plain(a)) || static_cast<bool>(detail::plain(b)));
}
template <class T, class Group>
MUSTER_FN uniform<bool, Group> operator!(uniform<T, Group> const& a) {
  return detail::mint::make<uniform<bool, Group>>(!a.value());
}
template <class T, class Group>
MUSTER_FN auto operator-(uniform<T, Group> const& a) {
  return detail::mint::make<uniform<decltype(-a.value()), Group>>(-a.value());
}

// States that v is the same in every member of the caller's tile. Every member must call it. The emulator and checked builds report where it is not so; otherwise it costs nothing.
// The same means the same bytes: -0.0 and 0.0, and NaNs of different payloads, are not, since what follows from them can differ (1 / v, copysign, a match). Nor are two
// copies of a struct whose padding differs.
template <int Width, class Members, class T>
MUSTER_FN uniform<T, tile<Width, Members>> as_uniform(tile<Width, Members> g, T v, site where = site::here()) {
  static_assert(detail::value_is_plain<T>::value);
  backend::check_uniform(g.all_members().bits, Width, v, where);
  return detail::mint::make<uniform<T, tile<Width, Members>>>(v);
}

MUSTER_END
