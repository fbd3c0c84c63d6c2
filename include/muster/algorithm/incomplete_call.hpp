// The errors of a block's or cluster's algorithm whose storage is const, which lacks its value, operator or rank, or has something after them.
#pragma once

#include <type_traits>

#include <muster/algorithm/block_storage.hpp>
#include <muster/algorithm/cluster_storage.hpp>
#include <muster/algorithm/incomplete_fold.hpp>
#include <muster/algorithm/softmax.hpp>
#include <muster/config.hpp>
#include <muster/core/call_shape.hpp>
#include <muster/core/cluster.hpp>
#include <muster/core/held_by.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/uniform_conversions.hpp>
#include <muster/policy/check.hpp>

MUSTER_BEGIN

namespace detail {

template <class Storage>
struct storage_can_be_written {
  static_assert(!std::is_const_v<Storage>,
                "muster: the algorithm writes to its storage, and this one is const; the kernel takes its storage as shared&, and helper functions take it as Storage&");
  static constexpr bool value = true;
};

template <class Group, bool HasRank>
struct broadcast_names_a_rank {
  static_assert(HasRank,
                "muster: whose value is meant is missing: broadcast(group, storage, v, rank), or broadcast<Rank>(group, storage, v) with the rank in the type");
  static constexpr bool value = true;
};

template <class Group, int Given>
struct broadcast_takes_one_value {
  static_assert(Given < 0, "muster: broadcast<Rank>(group, storage, v): the rank stands in the type, and nothing after the value; a rank known at run time: broadcast(group, storage, v, rank)");
  static constexpr bool value = true;
};

template <class Storage, class Group>
concept storage_of_group = (is_block<Group> && is_block_storage<Storage>) || (is_cluster<Group> && is_cluster_storage<Storage>);
template <class Storage, class Group>
concept const_storage_of_group = std::is_const_v<Storage> && storage_of_group<std::remove_const_t<Storage>, Group>;

// Results that fit where the right ones would, so that the one error is the only one.
template <class Group, class Storage>
MUSTER_FN uniform<int, Group> refuse_const_storage() {
  static_assert(storage_can_be_written<Storage>::value);
  return mint::make<uniform<int, Group>>(0);
}
template <class Group>
MUSTER_FN uniform<int, Group> refuse_without_rank() {
  static_assert(broadcast_names_a_rank<Group, false>::value);
  return mint::make<uniform<int, Group>>(0);
}

}  // namespace detail

// A const storage.
template <class Group, detail::const_storage_of_group<Group> Storage, class... Args>
MUSTER_FN auto reduce(Group, Storage&, Args const&...) {
  return detail::refuse_const_storage<Group, Storage>();
}
template <detail::policy Policy, class Group, detail::const_storage_of_group<Group> Storage, class... Args>
MUSTER_FN auto reduce(Policy, Group, Storage&, Args const&...) {
  return detail::refuse_const_storage<Group, Storage>();
}
template <class Group, detail::const_storage_of_group<Group> Storage, class... Args>
MUSTER_FN auto inclusive_scan(Group, Storage&, Args const&...) {
  return detail::refuse_const_storage<Group, Storage>();
}
template <detail::policy Policy, class Group, detail::const_storage_of_group<Group> Storage, class... Args>
MUSTER_FN auto inclusive_scan(Policy, Group, Storage&, Args const&...) {
  return detail::refuse_const_storage<Group, Storage>();
}
template <class Group, detail::const_storage_of_group<Group> Storage, class... Args>
MUSTER_FN auto exclusive_scan(Group, Storage&, Args const&...) {
  return detail::refuse_const_storage<Group, Storage>();
}
template <detail::policy Policy, class Group, detail::const_storage_of_group<Group> Storage, class... Args>
MUSTER_FN auto exclusive_scan(Policy, Group, Storage&, Args const&...) {
  return detail::refuse_const_storage<Group, Storage>();
}
template <empty_row Empty = empty_row::nan, class Group, detail::const_storage_of_group<Group> Storage, class... Args>
MUSTER_FN auto softmax(Group, Storage&, Args const&...) {
  return detail::refuse_const_storage<Group, Storage>();
}
template <empty_row Empty = empty_row::nan, detail::policy Policy, class Group, detail::const_storage_of_group<Group> Storage, class... Args>
MUSTER_FN auto softmax(Policy, Group, Storage&, Args const&...) {
  return detail::refuse_const_storage<Group, Storage>();
}
template <empty_row Empty = empty_row::nan, class Group, detail::const_storage_of_group<Group> Storage, class... Args>
MUSTER_FN auto log_softmax(Group, Storage&, Args const&...) {
  return detail::refuse_const_storage<Group, Storage>();
}
template <empty_row Empty = empty_row::nan, detail::policy Policy, class Group, detail::const_storage_of_group<Group> Storage, class... Args>
MUSTER_FN auto log_softmax(Policy, Group, Storage&, Args const&...) {
  return detail::refuse_const_storage<Group, Storage>();
}
template <class Group, detail::const_storage_of_group<Group> Storage, class... Args>
MUSTER_FN auto log_sum_exp(Group, Storage&, Args const&...) {
  return detail::refuse_const_storage<Group, Storage>();
}
template <detail::policy Policy, class Group, detail::const_storage_of_group<Group> Storage, class... Args>
MUSTER_FN auto log_sum_exp(Policy, Group, Storage&, Args const&...) {
  return detail::refuse_const_storage<Group, Storage>();
}
template <class Group, detail::const_storage_of_group<Group> Storage, class... Args>
MUSTER_FN auto broadcast(Group, Storage&, Args const&...) {
  return detail::refuse_const_storage<Group, Storage>();
}
template <int Rank, class Group, detail::const_storage_of_group<Group> Storage, class... Args>
MUSTER_FN auto broadcast(Group, Storage&, Args const&...) {
  return detail::refuse_const_storage<Group, Storage>();
}

// Without the value or the operator, or with something after them.
template <class Group, detail::storage_of_group<Group> Storage, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN auto reduce(Group, Storage&, Args const&...) {
  return detail::refuse_incomplete_fold<detail::argument_count<Args...>, Group>();
}
template <detail::policy Policy, class Group, detail::storage_of_group<Group> Storage, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN auto reduce(Policy, Group, Storage&, Args const&...) {
  return detail::refuse_incomplete_fold<detail::argument_count<Args...>, Group>();
}
template <class Group, detail::storage_of_group<Group> Storage, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN auto inclusive_scan(Group, Storage&, Args const&...) {
  return detail::refuse_incomplete_fold<detail::argument_count<Args...>, Group>();
}
template <detail::policy Policy, class Group, detail::storage_of_group<Group> Storage, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN auto inclusive_scan(Policy, Group, Storage&, Args const&...) {
  return detail::refuse_incomplete_fold<detail::argument_count<Args...>, Group>();
}
template <class Group, detail::storage_of_group<Group> Storage, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN auto exclusive_scan(Group, Storage&, Args const&...) {
  return detail::refuse_incomplete_fold<detail::argument_count<Args...>, Group>();
}
template <detail::policy Policy, class Group, detail::storage_of_group<Group> Storage, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN auto exclusive_scan(Policy, Group, Storage&, Args const&...) {
  return detail::refuse_incomplete_fold<detail::argument_count<Args...>, Group>();
}
template <empty_row Empty = empty_row::nan, class Group, detail::storage_of_group<Group> Storage, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto softmax(Group, Storage&, Args const&...) {
  return detail::refuse_incomplete_softmax<detail::argument_count<Args...>, Group>();
}
template <empty_row Empty = empty_row::nan, detail::policy Policy, class Group, detail::storage_of_group<Group> Storage, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto softmax(Policy, Group, Storage&, Args const&...) {
  return detail::refuse_incomplete_softmax<detail::argument_count<Args...>, Group>();
}
template <empty_row Empty = empty_row::nan, class Group, detail::storage_of_group<Group> Storage, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto log_softmax(Group, Storage&, Args const&...) {
  return detail::refuse_incomplete_softmax<detail::argument_count<Args...>, Group>();
}
template <empty_row Empty = empty_row::nan, detail::policy Policy, class Group, detail::storage_of_group<Group> Storage, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto log_softmax(Policy, Group, Storage&, Args const&...) {
  return detail::refuse_incomplete_softmax<detail::argument_count<Args...>, Group>();
}
template <class Group, detail::storage_of_group<Group> Storage, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto log_sum_exp(Group, Storage&, Args const&...) {
  return detail::refuse_incomplete_softmax<detail::argument_count<Args...>, Group>();
}
template <detail::policy Policy, class Group, detail::storage_of_group<Group> Storage, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto log_sum_exp(Policy, Group, Storage&, Args const&...) {
  return detail::refuse_incomplete_softmax<detail::argument_count<Args...>, Group>();
}

// The rank that gets a fold is in the type, and its operator still missing.
template <int Rank, class Group, detail::storage_of_group<Group> Storage, class... Args>
  requires(detail::argument_count<Args...> != 2)
MUSTER_FN auto reduce_to(Group, Storage&, Args const&...) {
  return detail::refuse_incomplete_fold<detail::argument_count<Args...>, Group>();
}
template <int Rank, class Group, detail::storage_of_group<Group> Storage, class... Args>
  requires(detail::argument_count<Args...> != 1)
MUSTER_FN auto broadcast(Group, Storage&, Args const&...) {
  static_assert(detail::broadcast_takes_one_value<Group, detail::argument_count<Args...>>::value);
  return detail::mint::make<uniform<int, Group>>(0);
}

// No rank. What one thread holds brings its own.
template <class Group, detail::storage_of_group<Group> Storage, class T>
  requires(!detail::is_held<T>)
MUSTER_FN auto broadcast(Group, Storage&, T const&) {
  return detail::refuse_without_rank<Group>();
}

MUSTER_END
