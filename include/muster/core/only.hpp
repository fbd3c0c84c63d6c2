// only and only_rank: what lanes or ranks named in the type go on with.
#pragma once

#include <type_traits>

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/held_by.hpp>
#include <muster/core/is_rank.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/lane_test.hpp>
#include <muster/core/members.hpp>
#include <muster/core/narrow_to.hpp>
#include <muster/core/narrowing_kind.hpp>
#include <muster/core/roll_call.hpp>
#include <muster/core/scope.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/with.hpp>

MUSTER_BEGIN

namespace detail {

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
  if constexpr (Rank < 0 || Rank >= tile<Width, Members>::facts::least_count) {
    // refused by is_rank
  } else if constexpr (detail::is_static<Members>) {
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

MUSTER_END
