// The errors of what only one kind of group knows, asked of another: the warps of a cluster, the cluster of a tile.
#pragma once

#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/cluster.hpp>
#include <muster/core/extent.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform_conversions.hpp>
#include <muster/core/with.hpp>

MUSTER_BEGIN

namespace detail {

template <class Asked>
struct this_is_asked_of_a_block {
  static_assert(is_block<Asked>,
                "muster: this is asked of the block that the kernel got: this_warp(block), for_warps(block, full, last), warp_rank(block), "
                "thread_index(block), dynamic_shared<T>(block); not of a tile, cluster or grid");
  static constexpr bool value = true;
};

template <class Asked>
struct clusters_and_grids_are_those_of_a_block {
  static_assert(is_block<Asked>, "muster: this_cluster(block), this_grid(block): the argument is the block that the kernel got; not a tile, cluster or grid");
  static constexpr bool value = true;
};

template <class Asked>
struct one_rank_is_in_a_tile_block_or_cluster {
  static_assert(!is_token<Asked>,
                "muster::only_rank<R>(group, body): the group is a tile, a block or a cluster; of a grid one thread is chosen by a native "
                "if (thread_rank(grid) == R)");
  static constexpr bool value = true;
};

template <class Asked>
struct shared_memory_is_reached_in_a_cluster {
  static_assert(is_cluster<Asked>,
                "muster::shared_of(cluster, own, rank): only blocks of one cluster reach each other's shared memory; pass this_cluster(block)");
  static constexpr bool value = true;
};

template <class Own, bool IsObject, bool HasRank>
struct shared_of_says_what_and_whose {
  static_assert(IsObject && HasRank,
                "muster::shared_of(cluster, own, rank): own is an object in shared memory, s.x and not its value or address, and rank says in which block");
  static constexpr bool value = true;
};

template <class T>
concept token_but_no_block = is_token<T> && !is_block<T>;
template <class T>
concept token_without_ranks = is_token<T> && !is_tile<T> && !is_block<T> && !is_cluster<T>;
template <class T>
concept token_but_no_cluster = is_token<T> && !is_cluster<T>;

}  // namespace detail

// Warps, and what else is a block's. The results fit where the right ones would, so that the one error is the only one.
template <detail::token_but_no_block Asked>
MUSTER_FN auto this_warp(Asked) {
  static_assert(detail::this_is_asked_of_a_block<Asked>::value);
  return detail::mint::make<tile<warp_size>>(all_lanes);
}
template <int Index, detail::token_but_no_block Asked, class... Args>
MUSTER_FN void only_warp(Asked, Args const&...) {
  static_assert(detail::this_is_asked_of_a_block<Asked>::value);
}
template <detail::token_but_no_block Asked, class... Args>
MUSTER_FN void for_warps(Asked, Args const&...) {
  static_assert(detail::this_is_asked_of_a_block<Asked>::value);
}
template <detail::token_but_no_block Asked>
MUSTER_FN int warp_rank(Asked) {
  static_assert(detail::this_is_asked_of_a_block<Asked>::value);
  return 0;
}
template <detail::token_but_no_block Asked>
MUSTER_FN int num_warps(Asked) {
  static_assert(detail::this_is_asked_of_a_block<Asked>::value);
  return 0;
}
template <detail::token_but_no_block Asked>
MUSTER_FN extent thread_index(Asked) {
  static_assert(detail::this_is_asked_of_a_block<Asked>::value);
  return {};
}

template <class T, detail::token_but_no_block Asked>
MUSTER_FN T* dynamic_shared(Asked) {
  static_assert(detail::this_is_asked_of_a_block<Asked>::value);
  return nullptr;
}

// Clusters and grids.
template <detail::token_but_no_block Asked>
MUSTER_FN Asked this_cluster(Asked asked) {
  static_assert(detail::clusters_and_grids_are_those_of_a_block<Asked>::value);
  return asked;
}
template <detail::token_but_no_block Asked>
MUSTER_FN Asked this_grid(Asked asked) {
  static_assert(detail::clusters_and_grids_are_those_of_a_block<Asked>::value);
  return asked;
}
template <int Rank, detail::token_without_ranks Asked, class... Args>
MUSTER_FN void only_rank(Asked, Args const&...) {
  static_assert(detail::one_rank_is_in_a_tile_block_or_cluster<Asked>::value);
}
template <detail::token_but_no_cluster Asked, class T, class... Args>
MUSTER_FN T& shared_of(Asked, T& own, Args const&...) {
  static_assert(detail::shared_memory_is_reached_in_a_cluster<Asked>::value);
  return own;
}
template <class Dims, class T, class... Args>
  requires(!std::is_lvalue_reference_v<T>)
MUSTER_FN T& shared_of(cluster<Dims>, T&& own, Args const&...) {
  static_assert(detail::shared_of_says_what_and_whose<T, false, sizeof...(Args) != 0>::value);
  return own;
}
template <class Dims, class T>
MUSTER_FN T& shared_of(cluster<Dims>, T& own) {
  static_assert(detail::shared_of_says_what_and_whose<T, true, false>::value);
  return own;
}

MUSTER_END
