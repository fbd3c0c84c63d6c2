// The parts of a block's folds: the caller's warp with all that is known of it, and folding the partials that lie in shared memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include <muster/algorithm/block_storage.hpp>
#include <muster/algorithm/block_way.hpp>
#include <muster/algorithm/reduce.hpp>
#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/constant.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/site.hpp>
#include <muster/core/warp.hpp>
#include <muster/policy/redux.hpp>
#include <muster/policy/shuffle.hpp>

MUSTER_BEGIN

namespace detail {

// f(warp) in every warp, with its own token; the result of the caller's. Unlike for_warps this narrows nobody: barriers follow.
template <class Dims, class F>
MUSTER_FN auto in_own_warp(block<Dims> b, F const& f) {
  if constexpr (is_one_warp<Dims> || (Dims::is_static && Dims::count % warp_size == 0)) {
    return f(this_warp(b));
  } else if constexpr (Dims::is_static) {
    constexpr lane_set last = lane_set::range(0, Dims::count % warp_size);
    if (warp_rank(b) < Dims::count / warp_size) return f(mint::make<tile<warp_size>>(all_lanes));
    return f(mint::make<tile<warp_size, lanes<last>>>(last));
  } else {
    if (lanes_of_warp(b) == warp_size) return f(mint::make<tile<warp_size>>(all_lanes));
    return f(ragged_warp(b));
  }
}

// Partials First to First + Count - 1 of those that a lane has read, folded as a balanced tree: the same association as if lanes had folded them by shuffles.
// Present: how many there are, a constant or a number; others are neutral.
template <class T, class Op, int Each, class Present>
struct read_partials {
  std::uint32_t word[Each * words_of<T>];
  Present present;
  T const& like;
  Op const& op;

  template <int I>
  MUSTER_FN T at() const {
    backend::words<sizeof(T)> w;
MUSTER_UNROLL
    for (int i = 0; i < words_of<T>; ++i) w.word[i] = word[I * words_of<T> + i];
    T const value = backend::from_words(w, like);
    if constexpr (is_constant<Present>) return value;
    else return I < present ? value : neutral_of<Op, T>();
  }

  template <int First, int Count>
  MUSTER_FN T fold() const {
    constexpr int half = power_of_two_from(Count) / 2;
    if constexpr (Count == 1) {
      return at<First>();
    } else if constexpr (is_constant<Present>) {
      if constexpr (First + half >= Present::value) return fold<First, half>();
      else return op(fold<First, half>(), fold<First + half, half>());
    } else {
      return op(fold<First, half>(), fold<First + half, half>());
    }
  }
};

template <class T, class Op, int Each, int Step, class Present>
MUSTER_FN T fold_stretch(std::uint32_t const* from, Present present, T const& like, Op const& op) {
  read_partials<T, Op, Each, Present> read{{}, present, like, op};
  load_words<Step>(read.word, from);
  return read.template fold<0, Each>();
}

// The fold of Count partials, or of the first `limit` of them where that is a number, in every lane of the warp. A lane reads one stretch, and lanes that have read
// different ones fold them by shuffles, which only whole warps do: a ragged one reads them all.
template <block_way Way, int Count, bool ByRedux, int Width, class Members, class T, class Op, class Limit>
MUSTER_FN T fold_partials(tile<Width, Members> warp, std::uint32_t const* partials, Limit limit, T const& like, Op const& op, site where) {
  constexpr int words = words_of<T>, padded = power_of_two_from(Count);
  constexpr bool is_whole = std::is_same_v<tile<Width, Members>, tile<warp_size>>;
  constexpr int stretches = padded / Way.each;
  int const lane = backend::lane();
  if constexpr (stretches == 1 || !is_whole) {
    static_assert(stretches == 1 || stride_of(Way, words) == Way.each * words);  // one after the other
    return fold_stretch<T, Op, padded, words_together(padded * words)>(partials, limit, like, op);
  } else if constexpr (ByRedux) {
    static_assert(Way.each == 1);
    T const own = lane < limit ? get(partials + (lane < padded ? lane : 0) * words, like) : neutral_of<Op, T>();
    return policy::redux_policy::reduce(warp, own, op, where);
  } else {
    int const stretch = lane & (stretches - 1);
    std::uint32_t const* const from = partials + stretch * stride_of(Way, words);
    constexpr int step = words_together(Way.each * words);
    T const own = [&] {
      if constexpr (is_constant<Limit> && Count == padded) return fold_stretch<T, Op, Way.each, step>(from, constant<Way.each>{}, like, op);
      else return fold_stretch<T, Op, Way.each, step>(from, limit - stretch * Way.each, like, op);
    }();
    return policy::shuffle_policy::reduce(tiled_partition<stretches>(warp), own, op, where);
  }
}

}  // namespace detail

MUSTER_END
