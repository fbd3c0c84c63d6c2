// The tokens of narrowed scopes: the caller's tile, a set that a vote found, or the token itself where a condition is the same for all its members.
#pragma once

#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/members.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/uniform_conversions.hpp>

MUSTER_BEGIN

namespace detail {

// The brand of a set found at run time: the group it was part of, the body that runs in it and the side taken, so that neither the two sides of a branch nor nested
// branches share a token type, even where a named functor is the body of all.
template <class Parent, class Body, bool Side>
struct side_of;

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

MUSTER_END
