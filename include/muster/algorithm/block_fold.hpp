// The parts of a block's folds: the caller's warp with all that is known of it, and folding the partials that lie in shared memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include <muster/algorithm/block_storage.hpp>
#include <muster/algorithm/block_way.hpp>
#include <muster/algorithm/reduce.hpp>
#include <muster/backend/warp.hpp>
#include <muster/backend/words.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/constant.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
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

  MUSTER_FN void set(int i, T const& value) {
    auto const w = backend::to_words(value);
MUSTER_UNROLL
    for (int j = 0; j < words_of<T>; ++j) word[i * words_of<T> + j] = w.word[j];
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

  // Partial I becomes the fold of First to I, in as many steps one after the other as fold() takes. Count is a power of two, and all are present.
  template <int First, int Count>
  MUSTER_FN void scan() {
    static_assert(is_constant<Present>);
    if constexpr (Count > 1) {
      scan<First, Count / 2>();
      scan<First + Count / 2, Count / 2>();
      fold_onto<First + Count / 2, First + Count>(at<First + Count / 2 - 1>());
    }
  }
  template <int I, int End>
  MUSTER_FN void fold_onto(T const& left) {
    set(I, op(left, at<I>()));
    if constexpr (I + 1 < End) fold_onto<I + 1, End>(left);
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

// The values that a lane of the first warp folds by itself, where a way says so: left by all that it does not have, read, and folded later, as a balanced tree. In columns a
// last warp may have fewer lanes. Made in every thread, before the condition under which it reads: there ptxas 13.0 would work out an address anew in each call, unless
// that is also where the thread left its own value.
template <block_way Way, class Dims, class T, class Op>
struct share_of_lane {
  static constexpr bool in_columns = Way.reads == block_reading::columns, is_rest = Way.reads == block_reading::rest, has_own = in_columns || is_rest;
  static constexpr int warps = most_warps<Dims>, words = words_of<T>, lanes_of_last = Dims::count - (warps - 1) * warp_size;
  static constexpr int step = in_columns ? words : words_together(power_of_two_from(has_own ? warps - 1 : warps) * words);
  static constexpr int read_words = is_rest ? step : (has_own ? warps - 1 : warps) * words;
  static constexpr int readers = is_rest ? (Dims::count - warp_size) * words / step : warp_size;  // threads below this number read
  static_assert(in_columns || lanes_of_last == warp_size);
  static_assert(Way.reads != block_reading::shares || (warps == power_of_two_from(warps) && step % words == 0));
  static_assert(!is_rest || (readers <= warp_size && readers * step == (Dims::count - warp_size) * words && step % words == 0));
  std::uint32_t* left;
  std::uint32_t const* from;
  std::uint32_t word[read_words];

  MUSTER_FN share_of_lane(block<Dims> b, std::uint32_t* values) {
    int const rank = thread_rank(b), lane = static_cast<int>(static_cast<unsigned>(rank) % warp_size);
    left = values + (has_own && rank >= warp_size ? rank - warp_size : rank) * words;
    if constexpr (in_columns) from = left = backend::kept_address(left);
    else from = backend::kept_address(values + lane * step);
    if constexpr (is_rest && readers < warp_size) {
      auto const neutral = backend::to_words(neutral_of<Op, T>());
MUSTER_UNROLL
      for (int i = 0; i < step; ++i) word[i] = neutral.word[i % words];
    }
  }

  MUSTER_FN void leave(block<Dims> b, T const& v) const {
    if (!has_own || thread_rank(b) >= warp_size) put(left, v);
  }

  MUSTER_FN void read(block<Dims> b) {
    if constexpr (in_columns) {
      int const lane = thread_rank(b);
MUSTER_UNROLL
      for (int warp = 1; warp < warps; ++warp) {
        bool const is_there = lanes_of_last == warp_size || warp + 1 < warps || lane < lanes_of_last;
        read_at((warp - 1) * words, from + ((warp - 1) * warp_size - (is_there ? 0 : lane)) * words);
      }
    } else {
MUSTER_UNROLL
      for (int i = 0; i < read_words; i += step) read_at(i, from + i * warp_size);
    }
  }

  MUSTER_FN T fold(block<Dims> b, T const& v, Op const& op) const {
    constexpr int count = read_words / words + (has_own ? 1 : 0);
    if constexpr (lanes_of_last == warp_size) return fold_present<count>(constant<count>{}, v, op);
    else return fold_present<count>(thread_rank(b) < lanes_of_last ? warps : warps - 1, v, op);
  }

 private:
  MUSTER_FN void read_at(int place, std::uint32_t const* there) {
    std::uint32_t read[step];
    load_words<words_together(step)>(read, there);
MUSTER_UNROLL
    for (int i = 0; i < step; ++i) word[place + i] = read[i];
  }
  template <int Count, class Present>
  MUSTER_FN T fold_present(Present present, T const& v, Op const& op) const {
    constexpr int padded = power_of_two_from(Count), first = Count * words - read_words;
    read_partials<T, Op, padded, Present> values{{}, present, v, op};
    if constexpr (has_own) values.set(0, v);
MUSTER_UNROLL
    for (int i = 0; i < read_words; ++i) values.word[first + i] = word[i];
    return values.template fold<0, padded>();
  }
};

// Whether the caller is in the first warp. ptxas 13.0 knows a vote's result to be the same in all lanes, and a comparison's not: behind a condition of that kind it makes the
// warp come together before each barrier, 10 cycles of a call on an H200.
template <class Dims>
MUSTER_FN bool is_in_first_warp(block<Dims> b) {
  bool const is_first = warp_rank(b) == 0;
  if constexpr (Dims::is_static && Dims::count % warp_size == 0) return backend::same_in_warp(is_first);
  else return is_first;
}

// What has met, folded by the first warp: in each of its lanes. Limit: how many partials there are, a constant or a number.
template <block_way Way, class Policy, class Dims, class Limit, class T, class Op>
MUSTER_FN T fold_in_first_warp(block<Dims>, std::uint32_t const* partials, Limit limit, T const& v, Op const& op, site where) {
  constexpr bool by_redux = Way.each == 1 && folds_by_redux<Policy, Op, T>();
  return fold_partials<Way, partials_of(Way, most_threads<Dims>), by_redux>(mint::make<tile<warp_size>>(all_lanes), partials, limit, v, op, where);
}
template <class Policy, block_way Way, class Dims, class T, class Op>
MUSTER_FN T fold_share(block<Dims> b, share_of_lane<Way, Dims, T, Op> const& share, T const& v, Op const& op, site where) {
  return reduced<Policy>(mint::make<tile<warp_size>>(all_lanes), share.fold(b, v, op), op, where);
}

// The fold of the first `count` of at most Most - 1 partials that lie one after the other, neutral of none: count is a sum of powers of two, so of stretches that are aligned
// as they are long. What is not to be folded may be read all the same.
template <int Most, int Size = Most / 2, class T, class Op>
MUSTER_FN T fold_first(std::uint32_t const* partials, int count, T const& like, Op const& op) {
  constexpr int words = words_of<T>;
  bool const is_present = (count & Size) != 0;
  if constexpr (Size == 1) {
    T const one = get(partials + (Most == 2 ? 0 : count & ~1) * words, like);
    return is_present ? one : neutral_of<Op, T>();
  } else if constexpr (Size == 2 && Most * words == 4) {  // in one access
    read_partials<T, Op, 4, constant<4>> read{{}, {}, like, op};
    load_words<4>(read.word, partials);
    T const one = is_present ? read.template at<2>() : read.template at<0>();  // not within the next condition: nvcc 13.0 would branch
    return op(is_present ? read.template fold<0, 2>() : neutral_of<Op, T>(), (count & 1) != 0 ? one : neutral_of<Op, T>());
  } else {
    read_partials<T, Op, Size, constant<Size>> read{{}, {}, like, op};
    load_words<words_together(Size * words)>(read.word, partials + (count & ~(2 * Size - 1)) * words);
    T const fewer = fold_first<Most, Size / 2>(partials, count, like, op);
    return op(is_present ? read.template fold<0, Size>() : neutral_of<Op, T>(), fewer);
  }
}

}  // namespace detail

MUSTER_END
