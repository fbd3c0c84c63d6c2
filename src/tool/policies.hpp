// The policies the tool offers, as a list that host code walks to get from a name to a type. For files that launch kernels.
#pragma once

#include <string>
#include <type_traits>

#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

#include <muster/muster.hpp>
#include <muster/policy/cooperative_groups.hpp>
#include <muster/policy/cub.hpp>

#include "tool/errors.hpp"

namespace muster::tool {

namespace hana = boost::hana;

inline constexpr auto all_policies = hana::tuple_t<policy::automatic_policy, policy::shuffle_policy, policy::redux_policy, policy::cub_policy, policy::cooperative_groups_policy>;

// The library behind the policy exists in device code only.
template <class Policy>
inline constexpr bool needs_device = requires { Policy::reason_without_gpu; };

// The policy has the algorithm at all, and does this operator on this type and tile.
template <class Policy, class Op, class T, class Tile>
consteval bool can_reduce() {
  if constexpr (requires(Tile g, T v, Op op, site where) { Policy::reduce(g, v, op, where); }) return Policy::template supports<Op, T, Tile>();
  return false;
}
template <class Policy, class Op, class T, class Tile>
consteval bool can_scan() {
  if constexpr (requires(Tile g, T v, Op op, site where) {
                  Policy::inclusive_scan(g, v, op, where);
                  Policy::exclusive_scan(g, v, op, where);
                })
    return Policy::template supports<Op, T, Tile>();
  return false;
}
template <class Policy, class T, class Tile>
consteval bool can_softmax() {
  return can_reduce<Policy, maximum, T, Tile>() && can_reduce<Policy, plus, T, Tile>();
}

// f(type<P>) for the one type of `choices` whose name is the one asked for; bad_input if there is none.
template <class Choices, class NameOf, class F>
void with_named(Choices const& choices, char const* what, std::string const& asked, NameOf name_of, F f) {
  bool found = false;
  hana::for_each(choices, [&](auto choice) {
    if (asked != name_of(choice)) return;
    found = true;
    f(choice);
  });
  if (!found) throw bad_input("there is no " + std::string(what) + " called '" + asked + "'");
}

template <class F>
void with_policy(std::string const& asked, F f) {
  with_named(all_policies, "policy", asked, []<class Policy>(hana::basic_type<Policy>) { return Policy::name(); }, f);
}

}  // namespace muster::tool
