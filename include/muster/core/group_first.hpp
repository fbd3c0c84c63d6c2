// The error of a call whose first argument is no group: code brought over from CUDA's intrinsics, where a mask or the value itself stands first.
#pragma once

#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/with.hpp>

MUSTER_BEGIN

namespace detail {

template <class First>
struct first_argument_is_a_tile {
  static_assert(is_tile<First>,
                "muster: the first argument says who takes part: a tile, from this_warp(block), tiled_partition<W>(tile) or the body of a narrowing function; "
                "not a mask or a value (the mask follows from the tile), and not a whole block, cluster or grid");
  static constexpr bool value = true;
};

// Numbers, blocks, clusters and grids: what is passed by mistake. Other types stay free for other libraries' functions of the same names.
template <class T>
concept not_a_tile = std::is_arithmetic_v<T> || (is_token<T> && !is_tile<T>);

template <class T>
concept number = std::is_arithmetic_v<T>;

// The result of such a call fits where a value is wanted, so that the one error is the only one.
template <class First>
MUSTER_FN auto refuse() {
  static_assert(first_argument_is_a_tile<First>::value);
  return std::conditional_t<std::is_arithmetic_v<First>, First, int>();
}

template <class Divided>
struct what_is_divided_is_a_tile {
  static_assert(is_tile<Divided>, "muster::tiled_partition<W>(g): g is a tile; a block has warps first: tiled_partition<W>(this_warp(block))");
  static constexpr bool value = true;
};

}  // namespace detail

// Shuffles by a rank or distance in the type, and by one at run time.
template <detail::not_a_tile First, class... Args>
MUSTER_FN auto shuffle(First, Args const&...) {
  return detail::refuse<First>();
}
template <int Rank, detail::not_a_tile First, class... Args>
MUSTER_FN auto shuffle(First, Args const&...) {
  return detail::refuse<First>();
}
template <int Rank, detail::not_a_tile First, class... Args>
MUSTER_FN auto broadcast(First, Args const&...) {
  return detail::refuse<First>();
}
template <int X, detail::not_a_tile First, class... Args>
MUSTER_FN auto shuffle_xor(First, Args const&...) {
  return detail::refuse<First>();
}
template <int D, detail::not_a_tile First, class... Args>
MUSTER_FN auto shuffle_up(First, Args const&...) {
  return detail::refuse<First>();
}
template <int D, detail::not_a_tile First, class... Args>
MUSTER_FN auto shuffle_down(First, Args const&...) {
  return detail::refuse<First>();
}
template <int D, detail::not_a_tile First, class... Args>
MUSTER_FN auto shift_up(First, Args const&...) {
  return detail::refuse<First>();
}
template <int D, detail::not_a_tile First, class... Args>
MUSTER_FN auto shift_down(First, Args const&...) {
  return detail::refuse<First>();
}

// Votes and matches, and what is stated to be uniform.
template <detail::not_a_tile First, class... Args>
MUSTER_FN auto ballot(First, Args const&...) {
  return detail::refuse<First>();
}
template <detail::not_a_tile First, class... Args>
MUSTER_FN auto any(First, Args const&...) {
  return detail::refuse<First>();
}
template <detail::not_a_tile First, class... Args>
MUSTER_FN auto all(First, Args const&...) {
  return detail::refuse<First>();
}
template <detail::not_a_tile First, class... Args>
MUSTER_FN auto match_any(First, Args const&...) {
  return detail::refuse<First>();
}
template <detail::not_a_tile First, class... Args>
MUSTER_FN auto match_all(First, Args const&...) {
  return detail::refuse<First>();
}

template <detail::not_a_tile First, class... Args>
MUSTER_FN auto as_uniform(First, Args const&...) {
  return detail::refuse<First>();
}

// Places of tiles.
template <detail::not_a_tile First>
MUSTER_FN auto meta_group_rank(First) {
  return detail::refuse<First>();
}
template <detail::not_a_tile First>
MUSTER_FN auto meta_group_size(First) {
  return detail::refuse<First>();
}

// Narrowing, and leaders.
template <lane_set S, detail::not_a_tile First, class... Args>
MUSTER_FN void only(First, Args const&...) {
  detail::refuse<First>();
}
template <detail::not_a_tile First, class... Args>
MUSTER_FN void branch(First, Args const&...) {
  detail::refuse<First>();
}
template <detail::not_a_tile First, class... Args>
MUSTER_FN void each_tile(First, Args const&...) {
  detail::refuse<First>();
}
template <detail::not_a_tile First, class... Args>
MUSTER_FN void loop_while(First, Args const&...) {
  detail::refuse<First>();
}
template <detail::not_a_tile First, class... Args>
MUSTER_FN void invoke_one(First, Args const&...) {
  detail::refuse<First>();
}
template <detail::not_a_tile First, class... Args>
MUSTER_FN auto invoke_one_broadcast(First, Args const&...) {
  return detail::refuse<First>();
}

// Partitions: code brought over from cooperative groups divides the block.
template <int Width, detail::not_a_tile First>
MUSTER_FN void tiled_partition(First) {
  static_assert(detail::what_is_divided_is_a_tile<First>::value);
}

// Folds and waiting, which blocks have too.
template <detail::number First, class... Args>
MUSTER_FN auto reduce(First, Args const&...) {
  return detail::refuse<First>();
}
template <detail::number First, class... Args>
MUSTER_FN auto inclusive_scan(First, Args const&...) {
  return detail::refuse<First>();
}
template <detail::number First, class... Args>
MUSTER_FN auto exclusive_scan(First, Args const&...) {
  return detail::refuse<First>();
}
template <detail::number First, class... Args>
MUSTER_FN auto softmax(First, Args const&...) {
  return detail::refuse<First>();
}
template <detail::number First, class... Args>
MUSTER_FN auto log_softmax(First, Args const&...) {
  return detail::refuse<First>();
}
template <detail::number First, class... Args>
MUSTER_FN auto log_sum_exp(First, Args const&...) {
  return detail::refuse<First>();
}
template <int Rank, detail::number First, class... Args>
MUSTER_FN auto reduce_to(First, Args const&...) {
  return detail::refuse<First>();
}
template <class Mask, class... Args>
  requires std::is_arithmetic_v<Mask>
MUSTER_FN void sync(Mask, Args const&...) {
  detail::refuse<Mask>();
}

MUSTER_END
