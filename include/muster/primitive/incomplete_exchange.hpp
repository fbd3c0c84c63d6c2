// The errors of a shuffle, a vote, a match, a leader or a partition whose arguments do not fit: the distance among the arguments instead of in the type, as
// intrinsics and cooperative groups have it, a value that is missing, a width at the end.
#pragma once

#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/call_shape.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/rank_set.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/with.hpp>

MUSTER_BEGIN

namespace detail {

template <class Group>
struct distance_is_in_the_type {
  static_assert(std::is_void_v<Group>,
                "muster: the xor or the distance is part of the call's type, so that it can be checked: shuffle_xor<X>(tile, v), shuffle_up<D>(tile, v), "
                "shuffle_down<D>(tile, v), shift_up<D>(tile, v, fill), shift_down<D>(tile, v, fill); a rank known at run time only: shuffle(tile, v, rank)");
  static constexpr bool value = true;
};

template <class Group>
struct rank_of_the_value_is_named {
  static_assert(std::is_void_v<Group>,
                "muster: whose value is meant stands in the type or after the value: broadcast<R>(tile, v), shuffle<R>(tile, v), or shuffle(tile, v, rank) where lanes "
                "differ or the rank is known at run time; what reduce_to gave is spread by held.broadcast(tile)");
  static constexpr bool value = true;
};

template <class Group, int Given>
struct shuffle_takes_one_value {
  static_assert(Given < 0,
                "muster: what is shuffled is one value: shuffle_xor<X>(tile, v), shuffle_up<D>(tile, v), shuffle_down<D>(tile, v), shuffle<R>(tile, v), "
                "broadcast<R>(tile, v), and nothing after it: the width is the tile's");
  static constexpr bool value = true;
};

template <class Group, int Given>
struct shift_takes_a_value_and_a_fill {
  static_assert(Given < 0, "muster: shift_up<D>(tile, v, fill), shift_down<D>(tile, v, fill): fill is what lanes past the edge get; their own value: shuffle_up<D>(tile, v)");
  static constexpr bool value = true;
};

template <class Group, int Given>
struct vote_takes_one_condition {
  static_assert(Given < 0, "muster: ballot(tile, p), any(tile, p), all(tile, p): p is one condition of the lane, a bool");
  static constexpr bool value = true;
};

template <class Group, int Given>
struct one_value_is_given {
  static_assert(Given < 0, "muster: match_any(tile, v), match_all(tile, v), as_uniform(tile, v): one value, to compare or to state as uniform");
  static constexpr bool value = true;
};

template <class Group>
struct sync_takes_the_group_alone {
  static_assert(std::is_void_v<Group>, "muster: sync(group) takes the group and nothing else; it orders the memory accesses of the members, whatever they are to");
  static constexpr bool value = true;
};

template <class Group, int Given>
struct leader_runs_one_function {
  static_assert(Given < 0, "muster: invoke_one(tile, f), invoke_one_broadcast(tile, f): one function, and before it perhaps with(x, ...), its state; it runs in rank 0");
  static constexpr bool value = true;
};

template <class Group>
struct partition_has_its_width_in_the_type {
  static_assert(std::is_void_v<Group>, "muster: tiled_partition<W>(tile): the width W is part of the tile's type: tiled_partition<8>(warp)");
  static constexpr bool value = true;
};

// A vote's arguments that are no one condition.
template <class... Args>
concept no_condition = argument_count<Args...> != 1 || !(... && (std::is_same_v<Args, site> || is_condition<Args>));

// Results that fit where the right ones would, so that the one error is the only one.
template <class T, class... Rest>
MUSTER_FN auto value_among(T const& v, Rest const&...) {
  return v;
}
MUSTER_FN inline int value_among() { return 0; }
template <int Width, class Members>
MUSTER_FN auto no_ranks(tile<Width, Members> g) {
  return mint::make<rank_set<tile<Width, Members>>>(g, lane_set{});
}

}  // namespace detail

// No rank or distance in the type.
template <int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN auto shuffle(tile<Width, Members>, Args const&... args) {
  static_assert(detail::rank_of_the_value_is_named<tile<Width, Members>>::value);
  return detail::value_among(args...);
}
template <any_tile Group, class... Args>
MUSTER_FN auto broadcast(Group, Args const&... args) {
  static_assert(detail::rank_of_the_value_is_named<Group>::value);
  return detail::value_among(args...);
}
template <any_tile Group, class... Args>
MUSTER_FN auto shuffle_xor(Group, Args const&... args) {
  static_assert(detail::distance_is_in_the_type<Group>::value);
  return detail::value_among(args...);
}
template <any_tile Group, class... Args>
MUSTER_FN auto shuffle_up(Group, Args const&... args) {
  static_assert(detail::distance_is_in_the_type<Group>::value);
  return detail::value_among(args...);
}
template <any_tile Group, class... Args>
MUSTER_FN auto shuffle_down(Group, Args const&... args) {
  static_assert(detail::distance_is_in_the_type<Group>::value);
  return detail::value_among(args...);
}
template <any_tile Group, class... Args>
MUSTER_FN auto shift_up(Group, Args const&... args) {
  static_assert(detail::distance_is_in_the_type<Group>::value);
  return detail::value_among(args...);
}
template <any_tile Group, class... Args>
MUSTER_FN auto shift_down(Group, Args const&... args) {
  static_assert(detail::distance_is_in_the_type<Group>::value);
  return detail::value_among(args...);
}
template <any_tile Group, class... Args>
MUSTER_FN Group tiled_partition(Group g, Args const&...) {
  static_assert(detail::partition_has_its_width_in_the_type<Group>::value);
  return g;
}

// Too few values, or too many.
template <int Rank, int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto shuffle(tile<Width, Members>, Args const&... args) {
  static_assert(detail::shuffle_takes_one_value<tile<Width, Members>, detail::argument_count<Args...>>::value);
  return detail::value_among(args...);
}
template <int Rank, int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto broadcast(tile<Width, Members>, Args const&... args) {
  static_assert(detail::shuffle_takes_one_value<tile<Width, Members>, detail::argument_count<Args...>>::value);
  return detail::value_among(args...);
}
template <int X, int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto shuffle_xor(tile<Width, Members>, Args const&... args) {
  static_assert(detail::shuffle_takes_one_value<tile<Width, Members>, detail::argument_count<Args...>>::value);
  return detail::value_among(args...);
}
template <int D, int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto shuffle_up(tile<Width, Members>, Args const&... args) {
  static_assert(detail::shuffle_takes_one_value<tile<Width, Members>, detail::argument_count<Args...>>::value);
  return detail::value_among(args...);
}
template <int D, int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto shuffle_down(tile<Width, Members>, Args const&... args) {
  static_assert(detail::shuffle_takes_one_value<tile<Width, Members>, detail::argument_count<Args...>>::value);
  return detail::value_among(args...);
}
template <int D, int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN auto shift_up(tile<Width, Members>, Args const&... args) {
  static_assert(detail::shift_takes_a_value_and_a_fill<tile<Width, Members>, detail::argument_count<Args...>>::value);
  return detail::value_among(args...);
}
template <int D, int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN auto shift_down(tile<Width, Members>, Args const&... args) {
  static_assert(detail::shift_takes_a_value_and_a_fill<tile<Width, Members>, detail::argument_count<Args...>>::value);
  return detail::value_among(args...);
}

// Votes and matches.
template <int Width, class Members, class... Args>
  requires detail::no_condition<Args...>
MUSTER_FN auto ballot(tile<Width, Members> g, Args const&...) {
  static_assert(detail::vote_takes_one_condition<tile<Width, Members>, detail::argument_count<Args...>>::value);
  return detail::no_ranks(g);
}
template <int Width, class Members, class... Args>
  requires detail::no_condition<Args...>
MUSTER_FN auto any(tile<Width, Members>, Args const&...) {
  static_assert(detail::vote_takes_one_condition<tile<Width, Members>, detail::argument_count<Args...>>::value);
  return detail::mint::make<uniform<bool, tile<Width, Members>>>(false);
}
template <int Width, class Members, class... Args>
  requires detail::no_condition<Args...>
MUSTER_FN auto all(tile<Width, Members>, Args const&...) {
  static_assert(detail::vote_takes_one_condition<tile<Width, Members>, detail::argument_count<Args...>>::value);
  return detail::mint::make<uniform<bool, tile<Width, Members>>>(false);
}
template <int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto match_any(tile<Width, Members> g, Args const&...) {
  static_assert(detail::one_value_is_given<tile<Width, Members>, detail::argument_count<Args...>>::value);
  return detail::no_ranks(g);
}
template <int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto match_all(tile<Width, Members> g, Args const&...) {
  static_assert(detail::one_value_is_given<tile<Width, Members>, detail::argument_count<Args...>>::value);
  return detail::no_ranks(g);
}

// What is stated to be uniform.
template <int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto as_uniform(tile<Width, Members>, Args const&... args) {
  static_assert(detail::one_value_is_given<tile<Width, Members>, detail::argument_count<Args...>>::value);
  return detail::value_among(args...);
}

// Leaders.
template <int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN void invoke_one(tile<Width, Members>, Args const&...) {
  static_assert(detail::leader_runs_one_function<tile<Width, Members>, detail::argument_count<Args...>>::value);
}
template <int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto invoke_one_broadcast(tile<Width, Members>, Args const&...) {
  static_assert(detail::leader_runs_one_function<tile<Width, Members>, detail::argument_count<Args...>>::value);
  return 0;
}

// Waiting.
template <class Group, class... Args>
  requires(detail::is_token<Group> && detail::argument_count<Args...> != 0)
MUSTER_FN void sync(Group, Args const&...) {
  static_assert(detail::sync_takes_the_group_alone<Group>::value);
}

MUSTER_END
