// Votes and matches: what the members of a tile think of a condition or hold as a value. Every member must call the same function together.
#pragma once

#include <cstdint>

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/group_first.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/rank_set.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/value_traits.hpp>

MUSTER_BEGIN

namespace detail {

template <class Group>
MUSTER_FN rank_set<Group> ranks_of(Group g, std::uint32_t lanes) {
  return mint::make<rank_set<Group>>(g, lane_set{lanes});
}

}  // namespace detail

// Every member gets the ranks of its tile for which the predicate holds. Cost: one vote. Source: PTX ISA, "vote.sync".
template <int Width, class Members>
MUSTER_FN auto ballot(tile<Width, Members> g, bool predicate, site where = site::here()) {
  return detail::ranks_of(g, backend::ballot(g.all_members().bits, predicate, where));
}

// Whether the predicate holds for any, for all members of the caller's tile; the same in each of them. Cost: one vote.
template <int Width, class Members>
MUSTER_FN uniform<bool, tile<Width, Members>> any(tile<Width, Members> g, bool predicate, site where = site::here()) {
  using result = uniform<bool, tile<Width, Members>>;
  if constexpr (tile<Width, Members>::facts::is_single_tile) {
    return detail::mint::make<result>(backend::any(g.all_members().bits, predicate, where));
  } else {
    lane_set const holds{backend::ballot(g.all_members().bits, predicate, where)};
    return detail::mint::make<result>(!(holds & g.own_members()).empty());
  }
}
template <int Width, class Members>
MUSTER_FN uniform<bool, tile<Width, Members>> all(tile<Width, Members> g, bool predicate, site where = site::here()) {
  using result = uniform<bool, tile<Width, Members>>;
  if constexpr (tile<Width, Members>::facts::is_single_tile) {
    return detail::mint::make<result>(backend::all(g.all_members().bits, predicate, where));
  } else {
    lane_set const holds{backend::ballot(g.all_members().bits, predicate, where)};
    return detail::mint::make<result>(g.own_members().is_subset_of(holds));
  }
}

// Every member gets the ranks of its tile that hold the same bytes as it does; floating-point values by their bits. T has no padding (has_no_padding).
// Cost: one match for each 8 bytes. Source: PTX ISA, "match.sync".
template <int Width, class Members, class T>
MUSTER_FN auto match_any(tile<Width, Members> g, T v, site where = site::here()) {
  static_assert(detail::value_can_travel<T>::value && detail::value_has_no_padding<T>::value);
  return detail::ranks_of(g, backend::match_any(g.all_members().bits, v, where));
}

// Every member gets all ranks of its tile if they hold the same bytes, otherwise none. Cost: one match for each 4 bytes where the token has one tile,
// otherwise that of match_any.
template <int Width, class Members, class T>
MUSTER_FN auto match_all(tile<Width, Members> g, T v, site where = site::here()) {
  static_assert(detail::value_can_travel<T>::value && detail::value_has_no_padding<T>::value);
  if constexpr (tile<Width, Members>::facts::is_single_tile) {
    return detail::ranks_of(g, backend::match_all(g.all_members().bits, v, where));
  } else {
    lane_set const same{backend::match_any(g.all_members().bits, v, where)};
    return detail::ranks_of(g, g.own_members().is_subset_of(same) ? same.bits : 0u);
  }
}

MUSTER_END
