// inclusive_scan and exclusive_scan: running folds in rank order. Every member must call the same function together.
#pragma once

#include <type_traits>

#include <muster/algorithm/operator_laws.hpp>
#include <muster/algorithm/reduce.hpp>
#include <muster/config.hpp>
#include <muster/core/call_of.hpp>
#include <muster/core/monoid.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/warp.hpp>
#include <muster/policy/automatic.hpp>
#include <muster/policy/check.hpp>

MUSTER_BEGIN

namespace detail {

// Names of the algorithms where lanes meet.
template <class Policy, class Op, class T>
struct warp_inclusive_scan_call;
template <class Policy, class Op, class T>
struct warp_exclusive_scan_call;

template <class Policy, class Group, class T, class Op>
MUSTER_FN T scanned_inclusive(Group g, T const& v, Op const& op, site where) {
  static_assert(fold_call<Policy, Op, T, Group>::value);
  static_assert(policy_has_algorithm<Policy, requires { { Policy::inclusive_scan(g, v, op, where) } -> just<T>; }>::value);
  T const result = Policy::inclusive_scan(g, v, op, call_of<warp_inclusive_scan_call<Policy, Op, T>>(where));
  check_operator(g, v, op, where);
  return result;
}
template <class Policy, class Group, class T, class Op>
MUSTER_FN T scanned_exclusive(Group g, T const& v, Op const& op, site where) {
  static_assert(fold_call<Policy, Op, T, Group>::value);
  static_assert(policy_has_algorithm<Policy, requires { { Policy::exclusive_scan(g, v, op, where) } -> just<T>; }>::value);
  T const result = Policy::exclusive_scan(g, v, op, call_of<warp_exclusive_scan_call<Policy, Op, T>>(where));
  check_operator(g, v, op, where);
  return result;
}

// Whether the operator's identity is one in value only: 0 + -0 is 0, and the larger of -inf and NaN is -inf.
template <class Op, class T>
inline constexpr bool identity_changes_bits = false;
template <class Op, class T>
  requires requires { Op::template neutral<T>(); }
inline constexpr bool identity_changes_bits<Op, T> = !std::is_integral_v<T>;

// `before`, but at rank 0 what changes no bit of what is folded onto it.
template <class Op, class T, class Group>
MUSTER_FN T start_of_own(Group g, T const& before) {
  if constexpr (identity_changes_bits<Op, T>) {
    return thread_rank(g) == 0 ? neutral_of<Op, T>() : before;
  } else {
    return before;
  }
}

// What a lane folds its own values onto: the fold of the ranks below, at rank 0 what changes no bit. In the last move, if the policy can put it there.
template <class Policy, class Group, class T, class Op>
MUSTER_FN T folded_below(Group g, T const& v, Op const& op, site where) {
  if constexpr (identity_changes_bits<Op, T> && requires { Policy::exclusive_scan_from(g, v, v, op, where); }) {
    static_assert(fold_call<Policy, Op, T, Group>::value);
    T const result = Policy::exclusive_scan_from(g, v, neutral_of<Op, T>(), op, call_of<warp_exclusive_scan_call<Policy, Op, T>>(where));
    check_operator(g, v, op, where);
    return result;
  } else {
    return start_of_own<Op>(g, scanned_exclusive<Policy>(g, v, op, where));
  }
}

}  // namespace detail

// Member r gets v0·...·vr of its tile. Op: a monoid, need not be commutative. Cost: ceil(log2 n) shfl a word. Source: Hillis and Steele, "Data parallel algorithms", 1986.
template <detail::policy Policy, int Width, class Members, class T, class Op>
MUSTER_RESULT_FN T inclusive_scan(Policy, tile<Width, Members> g, T v, Op op, site where = site::here()) {
  return detail::scanned_inclusive<Policy>(g, v, op, where);
}
template <int Width, class Members, class T, class Op>
MUSTER_RESULT_FN T inclusive_scan(tile<Width, Members> g, T v, Op op, site where = site::here()) {
  return detail::scanned_inclusive<policy::automatic_policy>(g, v, op, where);
}

// Member r gets v0·...·v(r-1) of its tile, rank 0 the operator's identity. Cost: one shfl a word more.
template <detail::policy Policy, int Width, class Members, class T, class Op>
MUSTER_RESULT_FN T exclusive_scan(Policy, tile<Width, Members> g, T v, Op op, site where = site::here()) {
  return detail::scanned_exclusive<Policy>(g, v, op, where);
}
template <int Width, class Members, class T, class Op>
MUSTER_RESULT_FN T exclusive_scan(tile<Width, Members> g, T v, Op op, site where = site::here()) {
  return detail::scanned_exclusive<policy::automatic_policy>(g, v, op, where);
}

// The same over N values a lane, in place: member r holds elements r·N to r·N + N - 1 of the tile's sequence.
template <detail::policy Policy, int Width, class Members, class T, int N, class Op>
MUSTER_FN void inclusive_scan(Policy, tile<Width, Members> g, T (&values)[N], Op op, site where = site::here()) {
  T before = detail::folded_below<Policy>(g, detail::fold_own(values, op), op, where);
MUSTER_UNROLL
  for (int i = 0; i < N; ++i) {
    before = op(before, values[i]);
    values[i] = before;
  }
}
template <int Width, class Members, class T, int N, class Op>
MUSTER_FN void inclusive_scan(tile<Width, Members> g, T (&values)[N], Op op, site where = site::here()) {
  inclusive_scan(policy::automatic, g, values, op, where);
}
template <detail::policy Policy, int Width, class Members, class T, int N, class Op>
MUSTER_FN void exclusive_scan(Policy, tile<Width, Members> g, T (&values)[N], Op op, site where = site::here()) {
  T const first = detail::scanned_exclusive<Policy>(g, detail::fold_own(values, op), op, where);
  T before = detail::start_of_own<Op>(g, first);
MUSTER_UNROLL
  for (int i = 0; i < N; ++i) {
    T const own = values[i];
    values[i] = i == 0 ? first : before;
    before = op(before, own);
  }
}
template <int Width, class Members, class T, int N, class Op>
MUSTER_FN void exclusive_scan(tile<Width, Members> g, T (&values)[N], Op op, site where = site::here()) {
  exclusive_scan(policy::automatic, g, values, op, where);
}

MUSTER_END
