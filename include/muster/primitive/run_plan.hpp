// Running a plan: what a lane does in each step, with the instruction form that the encoder chose. Steps are unrolled; all of a plan but the lane is constant.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/lane_test.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/site.hpp>
#include <muster/plan/plan.hpp>
#include <muster/plan/plan_for.hpp>
#include <muster/plan/table.hpp>
#include <muster/primitive/fold_in_range.hpp>

MUSTER_BEGIN

namespace detail {

// A lane's word of a plan's table, if the plan has one.
template <class Plan>
struct lane_word;
template <int Width, lane_set Members, plan::kind Kind>
struct lane_word<plan::proven_plan<Width, Members, Kind>> {
  MUSTER_FN static std::uint32_t of(int lane) { return plan::table_word<Width, Members, Kind>(lane); }
};
template <int Width, lane_set Members, plan::move Move, int N>
struct lane_word<plan::proven_move<Width, Members, Move, N>> {
  MUSTER_FN static std::uint32_t of(int lane) { return plan::table_word<Width, Members, Move, N>(lane); }
};

// The caller as a plan sees it: its lane, its table word, and whom the shuffles name.
template <class Plan>
struct performer {
  std::uint32_t membermask;
  site where;
  int lane = 0;
  std::uint32_t word = 0;

  MUSTER_FN performer(lane_set members, site call) : membermask(members.bits), where(call) {
    lane = backend::lane();
    if constexpr (Plan::value.uses_table) word = lane_word<Plan>::of(lane);
  }

  // The b operand of step I.
  template <int I>
  MUSTER_FN unsigned operand() const {
    constexpr plan::step s = Plan::value.steps[I];
    if constexpr (s.from == plan::operand::constant) {
      return s.arg;
    } else if constexpr (s.from == plan::operand::keep_xor) {
      return (static_cast<unsigned>(lane) & s.keep) ^ s.arg;
    } else {
      return word >> (5 * I);  // shfl reads the five lowest bits only (PTX ISA, "shfl.sync")
    }
  }

  // What arrives in step I, or `otherwise` in lanes that take nothing.
  template <int I, class T, class Otherwise>
  MUSTER_FN T receive(T const& v, Otherwise const& otherwise) const {
    constexpr plan::step s = Plan::value.steps[I];
    constexpr bool keeps = std::is_same_v<Otherwise, own_value>;
    if constexpr (s.use == plan::guard::always || (s.use == plan::guard::in_range && keeps)) {
      return backend::shuffle<s.mode>(membermask, v, operand<I>(), s.c, where);
    } else if constexpr (s.use == plan::guard::in_range) {
      return backend::shuffle_or<s.mode>(membermask, v, operand<I>(), s.c, otherwise, where);
    } else {
      T const received = backend::shuffle<s.mode>(membermask, v, operand<I>(), s.c, where);
      if constexpr (keeps) return lane_is_in<s.takes>(lane) ? received : v;
      else return lane_is_in<s.takes>(lane) ? received : otherwise;
    }
  }

  // The lane's value after step I, which folds.
  template <int I, class T, class Op>
  MUSTER_FN T fold(T const& v, Op const& op) const {
    constexpr plan::step s = Plan::value.steps[I];
    constexpr lane_set left = s.received_is_left;
    if constexpr (s.use == plan::guard::in_range && commutes_bitwise<Op, T>) {
      return fold_in_range<s.mode, s.takes>(membermask, v, operand<I>(), s.c, lane, op, where);
    } else {
      T const received = receive<I>(v, neutral_of<Op, T>());
      if constexpr (commutes_bitwise<Op, T> || s.takes.is_subset_of(left)) {
        return op(received, v);
      } else if constexpr ((s.takes & left).empty()) {
        return op(v, received);
      } else {
        bool const is_left = lane_is_in<left>(lane);
        return op(is_left ? received : v, is_left ? v : received);
      }
    }
  }

  template <class T, class Op, int... I>
  MUSTER_FN T fold_all(T v, Op const& op, std::integer_sequence<int, I...>) const {
    ((v = fold<I>(v, op)), ...);
    return v;
  }
};

// The value of every member after all steps of a plan that only folds (reductions, inclusive scans). Every member must call it.
template <class Plan, class T, class Op>
MUSTER_FN T run_folds(lane_set members, T const& v, Op const& op, site where) {
  performer<Plan> const lane(members, where);
  return lane.fold_all(v, op, std::make_integer_sequence<int, Plan::value.count>{});
}

// The same with a replacing last step (exclusive scans): `first` is for those to whom nothing arrives.
template <class Plan, class T, class Op>
MUSTER_FN T run_folds_then_move(lane_set members, T const& v, T const& first, Op const& op, site where) {
  constexpr int folds = Plan::value.count - 1;
  performer<Plan> const lane(members, where);
  return lane.template receive<folds>(lane.fold_all(v, op, std::make_integer_sequence<int, folds>{}), first);
}

// What arrives by a move of one step, or `otherwise` in lanes to which nothing arrives.
template <class Plan, class T, class Otherwise>
MUSTER_FN T run_move(lane_set members, T const& v, Otherwise const& otherwise, site where) {
  static_assert(Plan::value.count <= 1);
  if constexpr (Plan::value.count == 0) {
    return v;
  } else {
    return performer<Plan>(members, where).template receive<0>(v, otherwise);
  }
}

}  // namespace detail

MUSTER_END
