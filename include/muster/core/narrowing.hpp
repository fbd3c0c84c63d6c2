// Narrowing: a part of a group goes on together. Each function here is itself a collective of the group it narrows: every member must call it. A body runs in a
// scope of its own and gets the token of that scope; it returns nothing, and `return` inside it ends it. Leaving a scope neither reconverges nor orders memory.
// The emulator calls the roll (core/roll_call.hpp): it reports members that passed a call by or came to another one, the outer token in a
// body, and a condition whose type says that it is uniform and is not. Members that exit instead are not waited for, which is a note; that
// all who were to run a body have exited is a finding.
#pragma once

#include <type_traits>
#include <utility>

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/call_of.hpp>
#include <muster/core/held_by.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/lane_test.hpp>
#include <muster/core/members.hpp>
#include <muster/core/roll_call.hpp>
#include <muster/core/scope.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/with.hpp>

MUSTER_BEGIN

namespace detail {

// The brand of a set found at run time: the group it was part of, the body that runs in it and the side taken, so that neither the two sides of a branch nor nested
// branches share a token type, even where a named functor is the body of all.
template <class Parent, class Body, bool Side>
struct side_of;

// Name the votes in which lanes part ways: neither a vote of the user's nor another branch may be what others of the group meet them in.
template <class Then, class Otherwise>
struct branch_vote;
template <class Predicate, class Body>
struct loop_vote;

template <class Parent>
struct only_needs_known_lanes {
  static_assert(Parent::facts::is_static,
                "muster::only<S>(g, body): S names lanes of the warp, and which lanes this group has is known at run time only; use only_rank<R> or branch(g, condition, body)");
  static constexpr bool value = true;
};

template <lane_set Asked, lane_set Members>
struct set_of_lanes_is_within_group {
  static_assert(Asked.is_subset_of(Members), "muster::only<S>(g, body): S names lanes that the group does not have, which would be waited for");
  static constexpr bool value = true;
};

// The lane of a rank in each tile.
template <int Width, lane_set Members, int Rank>
MUSTER_FN constexpr lane_set lanes_of_rank() {
  lane_set result;
  for (int base = 0; base < warp_size; base += Width) {
    lane_set const members = Members & lane_set::range(base, Width);
    if (members.count() > Rank) result = result | lane_set::single(members.lane_of(Rank));
  }
  return result;
}

// Whether the caller is the member of a rank of its tile.
template <int Rank, int Width, class Members>
MUSTER_FN bool is_rank(tile<Width, Members> g) {
  static_assert(rank_exists_in_every_tile<Rank, tile<Width, Members>::facts::least_count>::value);
  if constexpr (is_static<Members>) {
    return lane_is_in<lanes_of_rank<Width, static_lanes<Members>, Rank>()>(backend::lane());
  } else {
    return g.own_members().rank_of(backend::lane()) == Rank;
  }
}

// What the caller's tile becomes where a condition is uniform in each tile only.
template <class Body, int Width, class Members>
MUSTER_FN auto narrow_to_tile(tile<Width, Members> g) {
  using facts = typename tile<Width, Members>::facts;
  if constexpr (facts::is_single_tile) {
    return g;
  } else if constexpr (facts::is_full) {
    return mint::make<tile<Width, own_tile<Width>>>(g.own_members());
  } else {
    return mint::make<tile<Width, dynamic_lanes<side_of<tile<Width, Members>, Body, true>>>>(g.own_members());
  }
}

template <class Body, bool Side, int Width, class Members>
MUSTER_FN auto narrow_to(tile<Width, Members>, lane_set members) {
  return mint::make<tile<Width, dynamic_lanes<side_of<tile<Width, Members>, Body, Side>>>>(members);
}

// In which aligned groups of lanes a condition is the same: the condition's tiles, or the warp where it is the block's.
template <class ConditionGroup, int Width>
inline constexpr int agreeing_width = is_block<ConditionGroup> ? warp_size : Width;

// What a body gets on a condition that is uniform: the token itself if the condition is the same in all its members, otherwise the caller's tile.
template <class Body, class ConditionGroup, class Group>
MUSTER_FN auto narrow_to_agreeing(Group g) {
  static_assert(is_uniform_in<Group, ConditionGroup>::value);
  if constexpr (is_block<ConditionGroup>) {
    return g;
  } else {
    return narrow_to_tile<Body>(g);
  }
}

}  // namespace detail

// then(token, state...) in the lanes S, otherwise(token, state...) in the group's other lanes. S: lanes of the warp, a part of the group, not empty.
// Tokens: lanes<S>, with the group's width. Cost: a comparison; the masks are immediates.
template <lane_set S, int Width, class Members, class... Ts, detail::body Then, detail::body Otherwise = detail::nothing>
MUSTER_FN void only([[maybe_unused]] tile<Width, Members> g, detail::state_list<Ts...> state, Then const& then, Otherwise const& otherwise = {}, site where = site::here()) {
  static_assert(detail::set_of_lanes_is_not_empty<S>::value && detail::only_needs_known_lanes<tile<Width, Members>>::value);
  if constexpr (detail::is_static<Members>) {
    constexpr lane_set all = detail::static_lanes<Members>;
    constexpr lane_set rest = all - S;
    static_assert(detail::set_of_lanes_is_within_group<S, all>::value);
    constexpr bool has_otherwise = !rest.empty() && !std::is_same_v<Otherwise, detail::nothing>;
    detail::call_roll(g, has_otherwise ? narrowing_kind::only_otherwise : narrowing_kind::only, S.bits, where);
    if (detail::lane_is_in<S>(backend::lane())) {
      detail::enter(detail::mint::make<tile<Width, lanes<S>>>(S), then, state, where);
    } else if constexpr (has_otherwise) {
      detail::enter(detail::mint::make<tile<Width, lanes<rest>>>(rest), otherwise, state, where);
    }
  }
}
template <lane_set S, int Width, class Members, detail::body Then, detail::body Otherwise = detail::nothing>
MUSTER_FN void only(tile<Width, Members> g, Then const& then, Otherwise const& otherwise = {}, site where = site::here()) {
  only<S>(g, with(), then, otherwise, where);
}

// body(token, state...) in the member of rank Rank of each tile. A held_by<Rank> of this group among the state reaches the body as its value.
// Tokens: lanes<...> where members are known at compile time, otherwise dynamic. Cost: a comparison.
template <int Rank, int Width, class Members, class... Ts, detail::body Body>
MUSTER_FN void only_rank(tile<Width, Members> g, detail::state_list<Ts...> state, Body const& body, site where = site::here()) {
  detail::call_roll(g, narrowing_kind::only_rank, Rank, where);
  if (!detail::is_rank<Rank>(g)) return;
  detail::open_held<Rank, tile<Width, Members>> const map(g.all_members(), where);
  if constexpr (detail::is_static<Members>) {
    constexpr lane_set chosen = detail::lanes_of_rank<Width, detail::static_lanes<Members>, Rank>();
    detail::enter(detail::mint::make<tile<Width, lanes<chosen>>>(chosen), body, state, where, map);
  } else {
    detail::enter(detail::narrow_to<Body, true>(g, lane_set::single(backend::lane())), body, state, where, map);
  }
}
template <int Rank, int Width, class Members, detail::body Body>
MUSTER_FN void only_rank(tile<Width, Members> g, Body const& body, site where = site::here()) {
  only_rank<Rank>(g, with(), body, where);
}

// then(token, state...) in the members whose condition holds, otherwise(token, state...) in the others; the two sides have different token types.
// A plain bool may differ between members: the tokens are dynamic, and a vote finds who takes which side.
template <int Width, class Members, class... Ts, detail::body Then, detail::body Otherwise = detail::nothing>
MUSTER_FN void branch(tile<Width, Members> g, bool condition, detail::state_list<Ts...> state, Then const& then, Otherwise const& otherwise = {},
                      site where = site::here()) {
  lane_set const all = g.all_members();
  lane_set const taken{backend::ballot(all.bits, condition, detail::call_of<detail::branch_vote<Then, Otherwise>>(where))};
  if (condition) {
    detail::enter(detail::narrow_to<Then, true>(g, taken), then, state, where);
  } else if constexpr (!std::is_same_v<Otherwise, detail::nothing>) {
    detail::enter(detail::narrow_to<Otherwise, false>(g, all - taken), otherwise, state, where);
  }
}
template <int Width, class Members, detail::body Then, detail::body Otherwise = detail::nothing>
MUSTER_FN void branch(tile<Width, Members> g, bool condition, Then const& then, Otherwise const& otherwise = {}, site where = site::here()) {
  branch(g, condition, with(), then, otherwise, where);
}

// A condition that is uniform needs no vote: the token itself goes on where all its members agree (one tile, or a condition uniform in the block); where each tile
// decides for itself, the caller's tile does: own_tile<Width> if all tiles are full, otherwise dynamic.
template <int Width, class Members, class T, class ConditionGroup, class... Ts, detail::body Then, detail::body Otherwise = detail::nothing>
MUSTER_FN void branch(tile<Width, Members> g, uniform<T, ConditionGroup> condition, detail::state_list<Ts...> state, Then const& then,
                      Otherwise const& otherwise = {}, site where = site::here()) {
  bool const taken = static_cast<bool>(condition.value());
  detail::call_roll_on(taken, g, narrowing_kind::branch, detail::agreeing_width<ConditionGroup, Width>, where);
  if (taken) {
    detail::enter(detail::narrow_to_agreeing<Then, ConditionGroup>(g), then, state, where);
  } else if constexpr (!std::is_same_v<Otherwise, detail::nothing>) {
    detail::enter(detail::narrow_to_agreeing<Otherwise, ConditionGroup>(g), otherwise, state, where);
  }
}
template <int Width, class Members, class T, class ConditionGroup, detail::body Then, detail::body Otherwise = detail::nothing>
MUSTER_FN void branch(tile<Width, Members> g, uniform<T, ConditionGroup> condition, Then const& then, Otherwise const& otherwise = {}, site where = site::here()) {
  branch(g, condition, with(), then, otherwise, where);
}

// body(token, state...) in every tile, with a token that names the caller's tile alone: tiles may then part ways, loop at their own pace or leave early.
// Tokens: the group itself if it has one tile, own_tile<Width> if all its tiles are full, otherwise dynamic. Cost: the mask is computed at run time, and the
// hardware checks convergence before each shuffle; stay with the outer token where tiles go together.
template <int Width, class Members, class... Ts, detail::body Body>
MUSTER_FN void each_tile(tile<Width, Members> g, detail::state_list<Ts...> state, Body const& body, site where = site::here()) {
  detail::call_roll(g, narrowing_kind::each_tile, 0, where);
  detail::enter(detail::narrow_to_tile<Body>(g), body, state, where);
}
template <int Width, class Members, detail::body Body>
MUSTER_FN void each_tile(tile<Width, Members> g, Body const& body, site where = site::here()) {
  each_tile(g, with(), body, where);
}

namespace detail {

template <class Predicate, class Group, class... Ts>
struct predicate_result {
  using type = bool;  // of one that cannot be called; refused
  static_assert(body_takes_token_and_state<Predicate, false>::value);
};
template <class Predicate, class Group, class... Ts>
  requires can_call<Predicate, as_it_is, state_list<Ts...>, Group const&>
struct predicate_result<Predicate, Group, Ts...> {
  using type = std::invoke_result_t<Predicate const&, Group const&, Ts&...>;
};

template <class Result>
struct predicate_returns_a_condition {
  static_assert(is_uniform<Result> || std::is_constructible_v<bool, Result>,
                "muster::loop_while(g, predicate, body): the predicate returns a bool, or a uniform of the group it is given");
  static constexpr bool value = true;
};

template <class Predicate, class Body>
struct loop_brand;

}  // namespace detail

// While predicate(token, state...) holds: body(token, state...), in the members for which it still holds. The predicate is asked again on each trip by those that
// remain; leaving is final. If it returns a bool, the tokens are dynamic, and a vote finds who remains. If it returns a uniform of the group it is given, it is given
// the group where that has one tile, otherwise the caller's tile, and whole tiles leave.
template <int Width, class Members, class... Ts, detail::body Predicate, detail::body Body>
MUSTER_FN void loop_while(tile<Width, Members> g, detail::state_list<Ts...> state, Predicate const& predicate, Body const& body, site where = site::here()) {
  static_assert(detail::body_captures_nothing<Predicate>::value);
  using brand = detail::loop_brand<Predicate, Body>;
  auto const own = detail::narrow_to_tile<brand>(g);
  using own_group = std::remove_const_t<decltype(own)>;
  using result = typename detail::predicate_result<Predicate, own_group, Ts...>::type;
  static_assert(detail::predicate_returns_a_condition<result>::value);
  if constexpr (detail::is_uniform<result>) {
    static_assert(detail::is_uniform_in<own_group, typename result::group>::value);
    if constexpr (!std::is_same_v<own_group, tile<Width, Members>>) detail::call_roll(g, narrowing_kind::loop_while, 0, where);
    while (true) {
      bool again = false;
      {
        detail::scope const inside(own.all_members(), where);
        again = static_cast<bool>(state.call(detail::as_it_is{}, predicate, own).value());
      }
      detail::call_roll_on(again, own, narrowing_kind::loop_while, detail::agreeing_width<typename result::group, Width>, where);
      if (!again) break;
      detail::enter(own, body, state, where);
    }
  } else {
    lane_set remaining = g.all_members();
    while (true) {
      auto const asked = detail::narrow_to<brand, true>(g, remaining);
      bool again = false;
      {
        detail::scope const inside(remaining, where);
        again = static_cast<bool>(state.call(detail::as_it_is{}, predicate, asked));
      }
      remaining = lane_set{backend::ballot(remaining.bits, again, detail::call_of<detail::loop_vote<Predicate, Body>>(where))};
      if (!again) break;
      detail::enter(detail::narrow_to<brand, true>(g, remaining), body, state, where);
    }
  }
}
template <int Width, class Members, detail::body Predicate, detail::body Body>
MUSTER_FN void loop_while(tile<Width, Members> g, Predicate const& predicate, Body const& body, site where = site::here()) {
  loop_while(g, with(), predicate, body, where);
}

MUSTER_END
