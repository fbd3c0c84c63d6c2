// Whether an operator of one's own is what it says: its identity changes no value, and what it calls commutative does not depend on the order. Types cannot tell; the emulator
// tries it on the values of each fold. The library's own operators are tested instead. That an operator is associative is not tried: rounding seldom is.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <muster/algorithm/agreement.hpp>
#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/call_of.hpp>
#include <muster/core/monoid.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/shuffle_mode.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>

#if !MUSTER_ON_DEVICE
#include <muster/core/operator_law.hpp>
#include <muster/emulator/runtime.hpp>
#endif

MUSTER_BEGIN

namespace detail {

// Names the exchange of neighbours' values.
template <class Op, class T>
struct operator_check_call;

#if !MUSTER_ON_DEVICE

// The 16-bit types are numbers too, and their pairs are not.
template <class T>
concept compared_as_number = numeric<T>::is_floating && requires(T const& v) { static_cast<double>(static_cast<float>(v)); };
template <class T>
concept has_equality = requires(T const& a, T const& b) {
  { a == b } -> std::convertible_to<bool>;
};

// As a caller of the operator may see it, with allowance for rounding, which a right formula does: (log(exp(0) + exp(v)), a mean of means). x and y: what the results were
// made of. Types without == have no meaning of equality that is known here: bytes that differ may be the same value. Of types with padding that cannot be cleared nothing is
// said, as their numbers are found among their bytes.
template <class T>
bool differ(T const& a, T const& b, T const& x, T const& y) {
  if constexpr (compared_as_number<T>) {
    auto const wide = [](T const& v) {
      if constexpr (std::is_floating_point_v<T>) return static_cast<double>(v);
      else return static_cast<double>(static_cast<float>(v));
    };
    return emulator::numbers_differ(wide(a), wide(b), wide(x), wide(y), static_cast<int>(sizeof(T)));
  } else if constexpr (numeric<T>::is_floating || !has_equality<T> || (std::is_class_v<T> && !bytes_can_be_compared<T>)) {
    return false;
  } else if constexpr (std::is_class_v<T>) {
    if (static_cast<bool>(a == b)) return false;
    T const objects[] = {comparable(a), comparable(b), comparable(x), comparable(y)};
    return !emulator::may_be_rounding(objects, sizeof(T), alignof(T), std::has_unique_object_representations_v<T>);
  } else {
    return !(a == b);
  }
}

// A NaN is not equal to itself, and which of two operands wins over it is left to the operator.
template <class T>
bool is_itself(T const& v) {
  if constexpr (has_equality<T>) return static_cast<bool>(v == v);
  else return false;
}

template <class T>
emulator::printed_value printed(T const& v) {
  if constexpr (compared_as_number<T> && std::is_floating_point_v<T>) return {'f', static_cast<double>(v), 0};
  else if constexpr (compared_as_number<T>) return {'f', static_cast<double>(static_cast<float>(v)), 0};
  else if constexpr (std::is_integral_v<T>) return {std::is_signed_v<T> ? 'i' : 'u', 0, static_cast<long long>(v)};
  else return {};
}

// The compiler's own text names the type.
template <class T>
char const* text_with_type() {
  return __PRETTY_FUNCTION__;
}

// Whether op(identity, v), or op(v, identity), is another value. That it is the identity itself is no rounding, however small the two are.
template <class T>
bool is_changed(T const& result, T const& identity, T const& v) {
  if constexpr (compared_as_number<T>) {
    if (result == identity && !(identity == v)) return true;
  }
  return differ(result, v, v, v);
}

template <class T>
void check_left_and_right(auto const& op, T const& identity, T const& v, char const* type, operator_law before, operator_law after, site where) {
  auto const tried = [&](T const& a, T const& b) -> T {
    emulator::operator_trial const trial(before, type);
    return op(a, b);
  };
  T const left = tried(identity, v), right = tried(v, identity);
  if (is_changed(left, identity, v)) emulator::report_operator(before, type, printed(identity), printed(v), printed(left), {}, where);
  else if (is_changed(right, identity, v)) emulator::report_operator(after, type, printed(v), printed(identity), printed(right), {}, where);
}

template <class Op, class T>
void check_identity(Op const& op, T const& v, site where) {
  char const* const type = text_with_type<Op>();
  check_left_and_right(op, static_cast<T>(Op::template identity<T>()), v, type, operator_law::identity, operator_law::identity_after, where);
  if constexpr (requires { Op::template neutral<T>(); })
    check_left_and_right(op, static_cast<T>(Op::template neutral<T>()), v, type, operator_law::neutral, operator_law::neutral_after, where);
}

template <class Op, class T>
void check_commutes(Op const& op, T const& a, T const& b, site where) {
  T const one = op(a, b), other = op(b, a);
  if (differ(one, other, a, b)) emulator::report_operator(operator_law::commutative, text_with_type<Op>(), printed(a), printed(b), printed(one), printed(other), where);
}

#endif

// After a fold: every member tries its own value, and with its neighbour's below. One rendezvous if the operator says that it commutes.
template <class Op, int Width, class Members, class T>
MUSTER_FN void check_operator([[maybe_unused]] tile<Width, Members> g, [[maybe_unused]] T const& v, [[maybe_unused]] Op const& op, [[maybe_unused]] site where) {
#if !MUSTER_ON_DEVICE
  if constexpr (!is_own_operator<Op> && monoid_for<Op, T>) {
    bool const is_plain = is_itself(v);
    if (is_plain) check_identity(op, v, where);
    if constexpr (Op::is_commutative && has_equality<T> && Width > 1) {
      std::uint32_t const members = g.all_members().bits;
      int const lane = backend::lane(), first_of_tile = lane / Width * Width;
      std::uint32_t const below = members & ((1u << lane) - 1u) & ~((1u << first_of_tile) - 1u);
      int const neighbour = below == 0 ? lane : backend::last_bit(below);
      T const its = backend::shuffle<shuffle_mode::idx>(members, v, static_cast<unsigned>(neighbour), 0x1fu, call_of<operator_check_call<Op, T>>(where));
      if (is_plain && is_itself(its) && neighbour != lane) check_commutes(op, its, v, where);
    }
  }
#endif
}

}  // namespace detail

MUSTER_END
