// What an operator must have for values of a type to be folded with it, and the messages where it has not.
#pragma once

#include <concepts>
#include <type_traits>

#include <muster/config.hpp>

MUSTER_BEGIN

namespace detail {

template <class Given, class T>
concept just = std::same_as<std::remove_cvref_t<Given>, T>;

// The operands of an operator() that is one function and no template: a member that a const object has, or a static one of C++23. Overloads and templates are asked with
// T alone.
template <class F, class T>
inline constexpr bool operands_are = true;
template <class R, class C, class A, class B, class T>
inline constexpr bool operands_are<R (C::*)(A, B) const, T> = just<A, T> && just<B, T>;
template <class R, class C, class A, class B, class T>
inline constexpr bool operands_are<R (C::*)(A, B) const noexcept, T> = just<A, T> && just<B, T>;
template <class R, class C, class A, class B, class T>
inline constexpr bool operands_are<R (C::*)(A, B) const&, T> = just<A, T> && just<B, T>;
template <class R, class C, class A, class B, class T>
inline constexpr bool operands_are<R (C::*)(A, B) const& noexcept, T> = just<A, T> && just<B, T>;
template <class R, class C, class A, class B, class T>
inline constexpr bool operands_are<R (C::*)(A, B) const volatile, T> = just<A, T> && just<B, T>;
template <class R, class C, class A, class B, class T>
inline constexpr bool operands_are<R (C::*)(A, B) const volatile noexcept, T> = just<A, T> && just<B, T>;
template <class R, class C, class A, class B, class T>
inline constexpr bool operands_are<R (C::*)(A, B) const volatile&, T> = just<A, T> && just<B, T>;
template <class R, class C, class A, class B, class T>
inline constexpr bool operands_are<R (C::*)(A, B) const volatile& noexcept, T> = just<A, T> && just<B, T>;
template <class R, class A, class B, class T>
inline constexpr bool operands_are<R (*)(A, B), T> = just<A, T> && just<B, T>;
template <class R, class A, class B, class T>
inline constexpr bool operands_are<R (*)(A, B) noexcept, T> = just<A, T> && just<B, T>;

template <class Op, class T>
inline constexpr bool converts_no_operand = true;
template <class Op, class T>
  requires requires { &Op::operator(); }
inline constexpr bool converts_no_operand<Op, T> = operands_are<decltype(&Op::operator()), T>;

// What an operator says of itself. A function in the place of a property would count as true, whatever it returns.
template <class Op>
inline constexpr bool is_commutative_is_a_bool = true;
template <class Op>
  requires requires { Op::is_commutative; }
inline constexpr bool is_commutative_is_a_bool<Op> = just<decltype(Op::is_commutative), bool>;
template <class Op>
inline constexpr bool commutes_bitwise_is_a_bool = true;
template <class Op>
  requires requires { Op::commutes_bitwise; }
inline constexpr bool commutes_bitwise_is_a_bool<Op> = just<decltype(Op::commutes_bitwise), bool>;
template <class Op>
inline constexpr bool is_idempotent_is_a_bool = true;
template <class Op>
  requires requires { Op::is_idempotent; }
inline constexpr bool is_idempotent_is_a_bool<Op> = just<decltype(Op::is_idempotent), bool>;
template <class Op>
inline constexpr bool properties_are_bools = is_commutative_is_a_bool<Op> && commutes_bitwise_is_a_bool<Op> && is_idempotent_is_a_bool<Op>;

template <class Op, class T>
concept folds_some = requires(Op const& op, T const& a, T const& b) {
  op(a, b);
  Op::template identity<T>();
  { Op::is_commutative } -> std::convertible_to<bool>;
};

// Only what is not const can be called, or only a temporary.
template <class Op, class T>
concept calls_a_variable_only = !requires(Op const& op, T const& a, T const& b) { op(a, b); } &&
                                (requires(Op& op, T const& a, T const& b) { op(a, b); } || requires(Op op, T const& a, T const& b) { static_cast<Op&&>(op)(a, b); });

}  // namespace detail

// An operator is a struct with operator()(a, b) and, its properties each a static constexpr bool,
//   identity<T>()        required: identity · v == v; what exclusive_scan gives rank 0
//   is_commutative       required: a · b == b · a
//   neutral<T>()         optional: an identity to the bit, where `identity` is not one (-0.0 for a floating-point sum)
//   commutes_bitwise     optional: a · b and b · a have the same bits (NaN payloads aside); then no lane has to order its operands
//   is_idempotent        optional: a · a == a
// A fold is associative by contract; the library never regroups beyond that. It takes and gives T itself: what converts on the way, an
// operator on int among floats, would lose a part of every partial result in silence.
template <class Op, class T>
concept monoid_for = detail::folds_some<Op, T> && detail::properties_are_bools<Op> && detail::converts_no_operand<Op, T> && requires(Op const& op, T const& a, T const& b) {
  { op(a, b) } -> detail::just<T>;
  { Op::template identity<T>() } -> detail::just<T>;
};

namespace detail {

template <class Op, class T>
struct operator_is_a_monoid {
  static_assert(!calls_a_variable_only<Op, T>, "muster: the operator() of a fold's operator is const, operator()(T, T) const: an operator has no state that its calls change");
  static_assert(folds_some<Op, T> || calls_a_variable_only<Op, T>,
                "muster: a fold needs an associative operator with an identity: a struct with operator()(T, T) const, identity<T>() and is_commutative, as muster::plus has; "
                "a difference or a quotient is not one; for function objects of std:: and cuda:: as_operator(std::plus<>{}) of <muster/interop.hpp>");
  static_assert(properties_are_bools<Op>,
                "muster: is_commutative, commutes_bitwise and is_idempotent of an operator are static constexpr bool; a function of that name would count as true");
  static_assert(!folds_some<Op, T> || !properties_are_bools<Op> || monoid_for<Op, T>,
                "muster: this operator takes or gives another type than the values of the fold, so that every partial result would be converted: operator()(T, T) and "
                "identity<T>() return T itself and the operands are T; convert the values before the call, or make the operator a template");
  static constexpr bool value = true;
};

}  // namespace detail

MUSTER_END
