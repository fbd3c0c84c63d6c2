// The errors of a tile's fold, scan or softmax that lacks its value, its operator or its rank, or has something after them.
#pragma once

#include <type_traits>

#include <muster/algorithm/softmax.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/call_shape.hpp>
#include <muster/core/held_by.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/uniform_conversions.hpp>
#include <muster/policy/check.hpp>

MUSTER_BEGIN

namespace detail {

template <class Group, int Given>
struct fold_has_a_value_and_an_operator {
  static_assert(Given >= 2,
                "muster: the operator of the fold is missing, such as muster::plus{}: reduce(tile, v, op), inclusive_scan(tile, v, op), reduce_to<R>(tile, v, op); "
                "for a block its storage comes before the value: reduce(block, storage, v, op)");
  static_assert(Given <= 2,
                "muster: a fold takes a value, or an array of the lane's values, and an operator, and nothing after them: reduce(tile, v, op), reduce(policy, tile, v, op); "
                "for a block its storage comes before the value: reduce(block, storage, v, op)");
  static constexpr bool value = true;
};

template <class Group, int Given>
struct softmax_has_a_value_alone {
  static_assert(Given == 1,
                "muster: softmax, log_softmax and log_sum_exp take a value, or an array of the lane's values, and nothing after it: softmax(tile, v), "
                "softmax(policy, tile, v), softmax<empty_row::zero>(tile, v), softmax(block, storage, v)");
  static constexpr bool value = true;
};

template <class Group>
struct reduce_to_names_a_rank {
  static_assert(std::is_void_v<Group>,
                "muster::reduce_to<R>(group, v, op): R is missing, the rank that gets the fold, known at compile time: reduce_to<0>(tile, v, op); all members get it from "
                "reduce(tile, v, op) at the same cost");
  static constexpr bool value = true;
};

// Results that fit where the right ones would, so that the one error is the only one.
template <int Given, class Group>
MUSTER_FN uniform<int, Group> refuse_incomplete_fold() {
  static_assert(fold_has_a_value_and_an_operator<Group, Given>::value);
  return mint::make<uniform<int, Group>>(0);
}
template <int Given, class Group>
MUSTER_FN uniform<int, Group> refuse_incomplete_softmax() {
  static_assert(softmax_has_a_value_alone<Group, Given>::value);
  return mint::make<uniform<int, Group>>(0);
}

template <class T>
concept tile_or_block_token = is_tile<T> || is_block<T>;

}  // namespace detail

// Folds and scans, without a policy and with one.
template <int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN auto reduce(tile<Width, Members>, Args const&...) {
  return detail::refuse_incomplete_fold<detail::argument_count<Args...>, tile<Width, Members>>();
}
template <detail::policy Policy, int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN auto reduce(Policy, tile<Width, Members>, Args const&...) {
  return detail::refuse_incomplete_fold<detail::argument_count<Args...>, tile<Width, Members>>();
}
template <int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN auto inclusive_scan(tile<Width, Members>, Args const&...) {
  return detail::refuse_incomplete_fold<detail::argument_count<Args...>, tile<Width, Members>>();
}
template <detail::policy Policy, int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN auto inclusive_scan(Policy, tile<Width, Members>, Args const&...) {
  return detail::refuse_incomplete_fold<detail::argument_count<Args...>, tile<Width, Members>>();
}
template <int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN auto exclusive_scan(tile<Width, Members>, Args const&...) {
  return detail::refuse_incomplete_fold<detail::argument_count<Args...>, tile<Width, Members>>();
}
template <detail::policy Policy, int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN auto exclusive_scan(Policy, tile<Width, Members>, Args const&...) {
  return detail::refuse_incomplete_fold<detail::argument_count<Args...>, tile<Width, Members>>();
}
template <int Rank, int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN auto reduce_to(tile<Width, Members>, Args const&...) {
  return detail::refuse_incomplete_fold<detail::argument_count<Args...>, tile<Width, Members>>();
}
template <int Rank, detail::policy Policy, int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN auto reduce_to(Policy, tile<Width, Members>, Args const&...) {
  return detail::refuse_incomplete_fold<detail::argument_count<Args...>, tile<Width, Members>>();
}
template <detail::tile_or_block_token Group, class... Args>
MUSTER_FN auto reduce_to(Group, Args const&...) {
  static_assert(detail::reduce_to_names_a_rank<Group>::value);
  return detail::mint::make<held_by<0, int, Group>>(0, lane_set{});
}

// Softmax and its relatives.
template <empty_row Empty = empty_row::nan, int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto softmax(tile<Width, Members>, Args const&...) {
  return detail::refuse_incomplete_softmax<detail::argument_count<Args...>, tile<Width, Members>>();
}
template <empty_row Empty = empty_row::nan, detail::policy Policy, int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto softmax(Policy, tile<Width, Members>, Args const&...) {
  return detail::refuse_incomplete_softmax<detail::argument_count<Args...>, tile<Width, Members>>();
}
template <empty_row Empty = empty_row::nan, int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto log_softmax(tile<Width, Members>, Args const&...) {
  return detail::refuse_incomplete_softmax<detail::argument_count<Args...>, tile<Width, Members>>();
}
template <empty_row Empty = empty_row::nan, detail::policy Policy, int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto log_softmax(Policy, tile<Width, Members>, Args const&...) {
  return detail::refuse_incomplete_softmax<detail::argument_count<Args...>, tile<Width, Members>>();
}
template <int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto log_sum_exp(tile<Width, Members>, Args const&...) {
  return detail::refuse_incomplete_softmax<detail::argument_count<Args...>, tile<Width, Members>>();
}
template <detail::policy Policy, int Width, class Members, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto log_sum_exp(Policy, tile<Width, Members>, Args const&...) {
  return detail::refuse_incomplete_softmax<detail::argument_count<Args...>, tile<Width, Members>>();
}

MUSTER_END
