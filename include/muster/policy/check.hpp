// What every call through a policy is checked for, so that a policy need only say what it supports.
#pragma once

#include <concepts>
#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/monoid.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/value_traits.hpp>

MUSTER_BEGIN

namespace policy {

struct shuffle_policy;
struct redux_policy;
struct automatic_policy;

}  // namespace policy

namespace detail {

template <class Policy, class Op, class T, class Group>
struct policy_supports_call {
  static_assert(Policy::template supports<Op, T, Group>(),
                "muster: this policy does not do this operator on this type and group; what it supports stands in its header and in the README's policy table; policy::automatic does all");
  static constexpr bool value = true;
};

template <class Policy, bool HasFunction>
struct policy_has_algorithm {
  static_assert(HasFunction,
                "muster: this policy does not have this algorithm, or its function does not return the values' type; use policy::shuffle or "
                "policy::automatic");
  static constexpr bool value = true;
};

// The library's own policies, of which its tests show that all members get the same bits.
template <class Policy>
inline constexpr bool is_own_policy =
    std::is_same_v<Policy, policy::shuffle_policy> || std::is_same_v<Policy, policy::redux_policy> || std::is_same_v<Policy, policy::automatic_policy>;

template <class T>
concept policy = requires {
  { T::name() } -> std::convertible_to<char const*>;
};

// A fold of values of type T with Op over a group by a policy.
template <class Policy, class Op, class T, class Group>
struct fold_call {
  static_assert(operator_is_a_monoid<Op, T>::value && value_can_travel<T>::value);
  static constexpr bool is_monoid = monoid_for<Op, T>;
  static_assert(!is_monoid || policy_supports_call<Policy, Op, T, Group>::value);
  static constexpr bool value = true;
};

}  // namespace detail

MUSTER_END
