// reduce and reduce_to: the fold of what the members of a tile hold. Every member must call the same function together.
#pragma once

#include <type_traits>

#include <muster/algorithm/agreement.hpp>
#include <muster/algorithm/operator_laws.hpp>
#include <muster/config.hpp>
#include <muster/core/call_of.hpp>
#include <muster/core/held_by.hpp>
#include <muster/core/is_rank.hpp>
#include <muster/core/monoid.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/policy/automatic.hpp>
#include <muster/policy/check.hpp>

MUSTER_BEGIN

namespace detail {

// Names of the algorithms where lanes meet.
template <class Policy, class Op, class T>
struct warp_reduce_call;

template <class Policy, class Group, class T, class Op>
MUSTER_FN T reduced(Group g, T const& v, Op const& op, site where) {
  static_assert(fold_call<Policy, Op, T, Group>::value);
  static_assert(policy_has_algorithm<Policy, requires { { Policy::reduce(g, v, op, where) } -> just<T>; }>::value);
  T const result = Policy::reduce(g, v, op, call_of<warp_reduce_call<Policy, Op, T>>(where));
  check_operator(g, v, op, where);
  return result;
}

// The fold of one lane's values, in order.
template <class T, int N, class Op>
MUSTER_FN T fold_own(T const (&values)[N], Op const& op) {
  T result = values[0];
MUSTER_UNROLL
  for (int i = 1; i < N; ++i) result = op(result, values[i]);
  return result;
}

// The type that holds two values of T and folds them at once, where there is one (half.hpp: the packed halves); members x and y.
template <class T>
struct pair_of {
  using type = void;
};

// Operators that work on a pair element by element. Of an operator of one's own this is not known.
template <class Op>
inline constexpr bool folds_pairs = std::is_same_v<Op, plus> || std::is_same_v<Op, multiplies> || std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum>;

// The fold of one lane's values where only the whole counts: two at a time if T has pairs, which commutativity allows, otherwise in order.
template <class T, int N, class Op>
MUSTER_FN T fold_own_total(T const (&values)[N], Op const& op) {
  using pair = typename pair_of<T>::type;
  if constexpr (N >= 4 && folds_pairs<Op> && !std::is_void_v<pair>) {
    pair folded(values[0], values[1]);
MUSTER_UNROLL
    for (int i = 2; i + 1 < N; i += 2) folded = op(folded, pair(values[i], values[i + 1]));
    T const total = op(T(folded.x), T(folded.y));
    if constexpr (N % 2 == 0) return total;
    else return op(total, values[N - 1]);
  } else {
    return fold_own(values, op);
  }
}

// What only the member of one rank holds is undefined in the others: on the emulator, seeded poison. A GPU leaves there what the last step left.
template <class T>
MUSTER_FN void forget([[maybe_unused]] T& value) {
#if !MUSTER_ON_DEVICE
  if constexpr (std::is_same_v<T, bool>) {  // whose other bytes are no values
    unsigned char byte;
    emulator::poison(&byte, sizeof byte);
    value = byte % 2 != 0;
  } else {
    emulator::poison(static_cast<void*>(&value), sizeof value);
  }
#endif
}
template <int Rank, class Group, class T>
MUSTER_FN void forget_unless_rank([[maybe_unused]] Group g, [[maybe_unused]] T& value) {
#if !MUSTER_ON_DEVICE
  if (!is_rank<Rank>(g)) forget(value);
#endif
}

}  // namespace detail

// Every member gets v0·v1·..., the fold of its tile's values in rank order, with the same bits in all of them. Op: a monoid (plus, minimum, a struct of one's own);
// need not be commutative. Cost: one redux.sync, or ceil(log2 n) shfl a word (policy/automatic.hpp).
template <detail::policy Policy, int Width, class Members, class T, class Op>
MUSTER_FN uniform<T, tile<Width, Members>> reduce(Policy, tile<Width, Members> g, T v, Op op, site where = site::here()) {
  T const result = detail::reduced<Policy>(g, v, op, where);
  detail::check_agreement<Policy, Op>(g, result, detail::call_of<detail::warp_reduce_call<Policy, Op, T>>(where));
  return detail::mint::make<uniform<T, tile<Width, Members>>>(result);
}
template <int Width, class Members, class T, class Op>
MUSTER_FN uniform<T, tile<Width, Members>> reduce(tile<Width, Members> g, T v, Op op, site where = site::here()) {
  return reduce(policy::automatic, g, v, op, where);
}

// The same over N values a lane: member r holds elements r·N to r·N + N - 1 of the tile's sequence. 16-bit floating-point types fold a lane's values two at a time.
template <detail::policy Policy, int Width, class Members, class T, int N, class Op>
MUSTER_FN uniform<T, tile<Width, Members>> reduce(Policy p, tile<Width, Members> g, T const (&values)[N], Op op, site where = site::here()) {
  return reduce(p, g, detail::fold_own_total(values, op), op, where);
}
template <int Width, class Members, class T, int N, class Op>
MUSTER_FN uniform<T, tile<Width, Members>> reduce(tile<Width, Members> g, T const (&values)[N], Op op, site where = site::here()) {
  return reduce(policy::automatic, g, values, op, where);
}

// The member of rank Rank gets the fold, and it alone: the result is held_by<Rank>, which no other member can read. On the emulator theirs is poison.
template <int Rank, detail::policy Policy, int Width, class Members, class T, class Op>
MUSTER_FN held_by<Rank, T, tile<Width, Members>> reduce_to(Policy, tile<Width, Members> g, T v, Op op, site where = site::here()) {
  static_assert(detail::rank_exists_in_every_tile<Rank, tile<Width, Members>::facts::least_count>::value);
  T result = detail::reduced<Policy>(g, v, op, where);
  detail::forget_unless_rank<Rank>(g, result);
  return detail::mint::make<held_by<Rank, T, tile<Width, Members>>>(result, g.all_members());
}
template <int Rank, int Width, class Members, class T, class Op>
MUSTER_FN held_by<Rank, T, tile<Width, Members>> reduce_to(tile<Width, Members> g, T v, Op op, site where = site::here()) {
  return reduce_to<Rank>(policy::automatic, g, v, op, where);
}
template <int Rank, detail::policy Policy, int Width, class Members, class T, int N, class Op>
MUSTER_FN held_by<Rank, T, tile<Width, Members>> reduce_to(Policy p, tile<Width, Members> g, T const (&values)[N], Op op, site where = site::here()) {
  return reduce_to<Rank>(p, g, detail::fold_own_total(values, op), op, where);
}
template <int Rank, int Width, class Members, class T, int N, class Op>
MUSTER_FN held_by<Rank, T, tile<Width, Members>> reduce_to(tile<Width, Members> g, T const (&values)[N], Op op, site where = site::here()) {
  return reduce_to<Rank>(policy::automatic, g, values, op, where);
}

MUSTER_END
