// The errors of a narrowing call that lacks its condition, its body, or the set, rank or index in its type, or has something in its place.
#pragma once

#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/call_shape.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform_conversions.hpp>
#include <muster/core/with.hpp>

MUSTER_BEGIN

namespace detail {

template <class Group, int Given>
struct branch_has_a_condition_and_a_body {
  static_assert(Given < 0,
                "muster: branch(g, condition, then[, otherwise]) or branch(g, condition, with(x, ...), then[, otherwise]): first the condition, a bool or a uniform "
                "of the group, then one or two bodies, and nothing after them");
  static constexpr bool value = true;
};

template <class Group, int Given>
struct only_has_a_body {
  static_assert(Given < 0, "muster: only<S>(g, then[, otherwise]) or only<S>(g, with(x, ...), then[, otherwise]): one or two bodies, and nothing after them");
  static constexpr bool value = true;
};

template <class Group, int Given>
struct loop_while_has_a_predicate_and_a_body {
  static_assert(Given < 0,
                "muster: loop_while(g, predicate, body) or loop_while(g, with(x, ...), predicate, body): predicate(token, x...) says whether the caller goes on, "
                "body(token, x...) is what it does");
  static constexpr bool value = true;
};

template <class Group, int Given>
struct narrowing_has_one_body {
  static_assert(Given < 0,
                "muster: only_rank<R>(g, body), each_tile(g, body) and only_warp<I>(block, body) take one body, and before it perhaps with(x, ...), its state");
  static constexpr bool value = true;
};

template <class Group, int Given>
struct for_warps_has_two_bodies {
  static_assert(Given < 0,
                "muster: for_warps(block, full, last) or for_warps(block, with(x, ...), full, last): one body for the warps of 32 lanes, one for a last warp of fewer");
  static constexpr bool value = true;
};

template <class Group, long long Given>
struct lanes_are_named_by_a_set {
  static_assert(std::is_void_v<Group>, "muster::only<S>(g, body): S is a lane_set and no number: only<muster::lane_set{0x0f}>(g, body)");
  static constexpr bool value = true;
};

template <class Group>
struct only_names_lanes {
  static_assert(std::is_void_v<Group>,
                "muster::only<S>(g, body): S is missing, the lanes of the warp that run the body: only<muster::lane_set{0x0f}>(g, body); lanes that a condition "
                "finds are narrowed to by branch(g, condition, body)");
  static constexpr bool value = true;
};

template <class Group>
struct only_rank_names_a_rank {
  static_assert(std::is_void_v<Group>,
                "muster::only_rank<R>(g, body): R is missing, the rank that runs the body, known at compile time: only_rank<0>(g, body); a rank known at run time "
                "is a condition: branch(g, thread_rank(g) == r, body)");
  static constexpr bool value = true;
};

template <class Group>
struct only_warp_names_a_warp {
  static_assert(std::is_void_v<Group>, "muster::only_warp<I>(block, body): I is missing, the index of the warp that runs the body, known at compile time: only_warp<0>(block, body)");
  static constexpr bool value = true;
};

// Conditions and bodies as branch takes them: the condition, perhaps state, one or two bodies.
template <class... Args>
inline constexpr bool is_branch = false;
template <class Condition, class... Bodies>
inline constexpr bool is_branch<Condition, Bodies...> =
    is_condition<Condition> && (argument_count<Bodies...> == 1 || argument_count<Bodies...> == 2);

template <class T>
concept tile_or_block = is_tile<T> || is_block<T>;

}  // namespace detail

// Without a condition or a body, or with more bodies than there are sides.
template <int Width, class Members, class... Args>
  requires(!detail::is_branch<Args...>)
MUSTER_FN void branch(tile<Width, Members>, Args const&...) {
  static_assert(detail::branch_has_a_condition_and_a_body<tile<Width, Members>, detail::argument_count<Args...>>::value);
}
template <int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN void loop_while(tile<Width, Members>, Args const&...) {
  static_assert(detail::loop_while_has_a_predicate_and_a_body<tile<Width, Members>, detail::argument_count<Args...>>::value);
}
template <lane_set S, int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 1 && detail::argument_count<Args...> != 2)
MUSTER_FN void only(tile<Width, Members>, Args const&...) {
  static_assert(detail::only_has_a_body<tile<Width, Members>, detail::argument_count<Args...>>::value);
}
template <int Rank, detail::tile_or_block Group, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN void only_rank(Group, Args const&...) {
  static_assert(detail::narrowing_has_one_body<Group, detail::argument_count<Args...>>::value);
}
template <int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN void each_tile(tile<Width, Members>, Args const&...) {
  static_assert(detail::narrowing_has_one_body<tile<Width, Members>, detail::argument_count<Args...>>::value);
}
template <int Index, class Dims, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN void only_warp(block<Dims>, Args const&...) {
  static_assert(detail::narrowing_has_one_body<block<Dims>, detail::argument_count<Args...>>::value);
}
template <class Dims, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN void for_warps(block<Dims>, Args const&...) {
  static_assert(detail::for_warps_has_two_bodies<block<Dims>, detail::argument_count<Args...>>::value);
}

// A number where the set belongs, and neither.
template <long long Lanes, int Width, class Members, class... Args>
MUSTER_FN void only(tile<Width, Members>, Args const&...) {
  static_assert(detail::lanes_are_named_by_a_set<tile<Width, Members>, Lanes>::value);
}
template <detail::tile_or_block Group, class... Args>
MUSTER_FN void only(Group, Args const&...) {
  static_assert(detail::only_names_lanes<Group>::value);
}
template <detail::tile_or_block Group, class... Args>
MUSTER_FN void only_rank(Group, Args const&...) {
  static_assert(detail::only_rank_names_a_rank<Group>::value);
}
template <class Dims, class... Args>
MUSTER_FN void only_warp(block<Dims>, Args const&...) {
  static_assert(detail::only_warp_names_a_warp<block<Dims>>::value);
}

MUSTER_END
