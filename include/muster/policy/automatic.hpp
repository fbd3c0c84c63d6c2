// policy::automatic: what a call without a policy uses; the fastest of the library's own ways, as measured (bench/).
#pragma once

#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/site.hpp>
#include <muster/policy/redux.hpp>
#include <muster/policy/shuffle.hpp>

MUSTER_BEGIN

namespace policy {

struct automatic_policy {
  static constexpr char const* name() { return "automatic"; }

  // redux.sync where one mask names the whole group; shuffles where several tiles of the warp would each need a mask of their own, and for groups of up to two rounds.
  template <class Op, class T, class Group>
  static consteval bool uses_redux() {
    using facts = typename Group::facts;
    constexpr bool one_mask = facts::is_static ? facts::is_single_tile && facts::partition.largest > 4 : Group::width == warp_size;
    return redux_policy::supports<Op, T, Group>() && one_mask;
  }

  template <class Op, class T, class Group>
  static consteval bool supports() {
    return true;
  }

  template <class Group, class T, class Op>
  MUSTER_FN static T reduce(Group g, T const& v, Op const& op, site where) {
    if constexpr (uses_redux<Op, T, Group>()) {
      return redux_policy::reduce(g, v, op, where);
    } else {
      return shuffle_policy::reduce(g, v, op, where);
    }
  }
  template <class Group, class T, class Op>
  MUSTER_FN static T inclusive_scan(Group g, T const& v, Op const& op, site where) {
    return shuffle_policy::inclusive_scan(g, v, op, where);
  }
  template <class Group, class T, class Op>
  MUSTER_FN static T exclusive_scan(Group g, T const& v, Op const& op, site where) {
    return shuffle_policy::exclusive_scan(g, v, op, where);
  }
  template <class Group, class T, class Op>
  MUSTER_FN static T exclusive_scan_from(Group g, T const& v, T const& first, Op const& op, site where) {
    return shuffle_policy::exclusive_scan_from(g, v, first, op, where);
  }
};

inline constexpr automatic_policy automatic{};

}  // namespace policy

MUSTER_END
