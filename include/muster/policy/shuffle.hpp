// policy::shuffle: folds by hand-written shuffles, from a plan where the members are known at compile time, by ranks elsewhere. Does everything, everywhere.
// Costs are those of known members. Where a vote found them, a round takes one shuffle more, which finds the next source, and there are log2(Width) rounds.
#pragma once

#include <muster/config.hpp>
#include <muster/core/site.hpp>
#include <muster/plan/plan.hpp>
#include <muster/plan/plan_for.hpp>
#include <muster/primitive/run_plan.hpp>
#include <muster/primitive/run_ranks.hpp>
#include <muster/primitive/shuffle.hpp>

MUSTER_BEGIN

namespace policy {

struct shuffle_policy {
  static constexpr char const* name() { return "shuffle"; }

  // Any monoid on any value that can travel, on any group.
  template <class Op, class T, class Group>
  static consteval bool supports() {
    return true;
  }

  // Every member of a tile gets the fold of all of them. Cost: ceil(log2 n) shuffles a word.
  template <class Group, class T, class Op>
  MUSTER_FN static T reduce(Group g, T const& v, Op const& op, site where) {
    if constexpr (detail::has_plan<Group>) {
      return detail::run_folds<plan::proven_plan<Group::width, detail::planned_members<Group>, plan::kind::all_reduce>>(g.all_members(), v, op, where);
    } else {
      return detail::reduce_by_rank(g, v, op, where);
    }
  }

  // Member r gets the fold of members 0 to r. Cost: ceil(log2 n) shuffles a word.
  template <class Group, class T, class Op>
  MUSTER_FN static T inclusive_scan(Group g, T const& v, Op const& op, site where) {
    if constexpr (detail::has_upward_plan<Group>) {
      return detail::run_folds<plan::proven_plan<Group::width, detail::planned_members<Group>, plan::kind::inclusive_scan>>(g.all_members(), v, op, where);
    } else {
      return detail::scan_by_rank(g, v, op, where);
    }
  }

  // Member r gets the fold of members 0 to r - 1; rank 0 gets the identity. Cost: one shuffle more.
  template <class Group, class T, class Op>
  MUSTER_FN static T exclusive_scan(Group g, T const& v, Op const& op, site where) {
    return exclusive_scan_from(g, v, Op::template identity<T>(), op, where);
  }

  // The same with `first` at rank 0; it does not enter the others. Optional for a policy: scans of several values a lane start from the neutral value with it.
  template <class Group, class T, class Op>
  MUSTER_FN static T exclusive_scan_from(Group g, T const& v, T const& first, Op const& op, site where) {
    if constexpr (detail::has_upward_plan<Group>) {
      using plan_type = plan::proven_plan<Group::width, detail::planned_members<Group>, plan::kind::exclusive_scan>;
      if constexpr (plan_type::value.count == 0) {
        return first;
      } else {
        return detail::run_folds_then_move<plan_type>(g.all_members(), v, first, op, where);
      }
    } else {
      return detail::shift_by_rank(g, detail::scan_by_rank(g, v, op, where), 1, first, where);
    }
  }
};

inline constexpr shuffle_policy shuffle{};

}  // namespace policy

MUSTER_END
