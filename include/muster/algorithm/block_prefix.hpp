// The part of a block's scan that its first warp does: the folds of all before each tile, from the tiles' totals that lie in shared memory.
#pragma once

#include <cstdint>

#include <muster/algorithm/block_fold.hpp>
#include <muster/algorithm/block_storage.hpp>
#include <muster/algorithm/block_way.hpp>
#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/constant.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/shuffle_mode.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/warp.hpp>
#include <muster/primitive/fold_in_range.hpp>
#include <muster/primitive/shuffle.hpp>

MUSTER_BEGIN

namespace detail {

// Lanes of aligned groups of Count that are Distance or more above the first of theirs.
template <int Count, int Distance>
consteval lane_set lanes_above() {
  std::uint32_t bits = 0;
  for (unsigned lane = 0; lane < static_cast<unsigned>(warp_size); ++lane)
    if (lane % Count >= Distance) bits |= 1u << lane;
  return lane_set{bits};
}

// The fold of the lanes below, neutral in the first of each Count, in as many rounds as an inclusive scan: the last takes two windows at once, which begin beside the lane
// and beside each other.
template <int Count, int Window = 1, class T, class Op>
MUSTER_FN T folded_lanes_below(tile<warp_size> warp, T const& window, Op const& op, site where) {
  if constexpr (Count == 1) {
    return neutral_of<Op, T>();
  } else if constexpr (2 * Window >= Count) {
    auto const lanes = tiled_partition<Count>(warp);
    int const rank = thread_rank(lanes);
    T const near = shuffle_up<1>(lanes, window, where);
    if constexpr (Window + 1 >= Count) {
      return rank == 0 ? neutral_of<Op, T>() : near;
    } else {
      T const far = shuffle_up<Window + 1>(lanes, window, where);
      T const both = op(far, near);  // not within the next condition: nvcc 13.0 would branch
      T const below = rank <= Window ? near : both;
      return rank == 0 ? neutral_of<Op, T>() : below;
    }
  } else {
    constexpr unsigned segment = static_cast<unsigned>(warp_size - Count) << 8;
    constexpr lane_set takes = lanes_above<Count, Window>();
    T const wider = fold_in_range<shuffle_mode::up, takes>(all_lanes.bits, window, Window, segment, backend::lane(), op, where);
    return folded_lanes_below<Count, 2 * Window>(warp, wider, op, where);
  }
}

// Which stretch of Count tiles' totals is the caller's: lanes beyond the last begin again at the first.
template <block_way Way, int Count>
MUSTER_FN int stretch_of_lane() {
  constexpr int stretches = power_of_two_from(Count) / Way.each;
  return backend::lane() & (stretches - 1);
}

// Totals I and the following; neutral ones in place of those that are not present.
template <int I, class T, class Op, int Each, class Present>
MUSTER_FN void copy_present(read_partials<T, Op, Each, constant<Each>>& to, read_partials<T, Op, Each, Present> const& from) {
  to.set(I, from.template at<I>());
  if constexpr (I + 1 < Each) copy_present<I + 1>(to, from);
}

// From `before`, the fold of all before the stretch, and the stretch's own scan: the fold of all before its tile I, and before the following.
template <int I, class T, class Op, int Each>
MUSTER_FN void put_prefixes(read_partials<T, Op, Each, constant<Each>>& prefixes, read_partials<T, Op, Each, constant<Each>> const& scanned, T const& before) {
  if constexpr (I == 0) prefixes.set(0, before);
  else prefixes.set(I, scanned.op(before, scanned.template at<I - 1>()));
  if constexpr (I + 1 < Each) put_prefixes<I + 1>(prefixes, scanned, before);
}

// What Groups groups of lanes have alike, stored once, each group its share of it: nvcc 13.0 branches around several accesses of one group, which took 70 cycles on an H200.
template <int Step, int Groups, int Count>
MUSTER_FN void store_words_of_groups(std::uint32_t* to, std::uint32_t const (&from)[Count]) {
  constexpr int parts = Count / Step, shares = parts < Groups ? parts : Groups, size = Count / shares;
  static_assert(parts % shares == 0);
  int const group = static_cast<int>(static_cast<unsigned>(backend::lane()) / static_cast<unsigned>(warp_size / Groups));
  std::uint32_t own[size];
MUSTER_UNROLL
  for (int i = 0; i < size; ++i) {
    own[i] = from[i];
MUSTER_UNROLL
    for (int share = 1; share < shares; ++share) own[i] = group == share ? from[share * size + i] : own[i];
  }
  // Of one group that number is 0, but nvcc 13.0 does not know that lanes are less than 32, and would add it to the address.
  if (shares == Groups || group < shares) store_words<Step>(Groups == 1 ? to : to + group * size, own);
}

// What the lane has read is scanned while the lanes' totals are under way, so that one fold more is needed after them.
template <int Stretches, class T, class Op, int Each, class Present>
MUSTER_FN void prefix_stretch(tile<warp_size> warp, std::uint32_t const* from, std::uint32_t* to, read_partials<T, Op, Each, Present> read, site where) {
  constexpr int step = words_together(Each * words_of<T>);
  load_words<step>(read.word, from);
  read_partials<T, Op, Each, constant<Each>> scanned{{}, {}, read.like, read.op}, prefixes{{}, {}, read.like, read.op};
  copy_present<0>(scanned, read);
  scanned.template scan<0, Each>();
  T const before = folded_lanes_below<Stretches>(warp, scanned.template at<Each - 1>(), read.op, where);
  put_prefixes<0>(prefixes, scanned, before);
  store_words_of_groups<step, warp_size / Stretches>(to, prefixes.word);
}

// Tiles have put their totals where a way says. The first warp folds, for each, all before it: a lane those of one stretch, which lies at `partials`, and leaves them at
// `prefixes`. Count: the tiles of the block. Where there are fewer stretches than lanes, groups of lanes do the same, and share the stores.
template <block_way Way, int Count, class T, class Op>
MUSTER_FN void prefix_partials(tile<warp_size> warp, std::uint32_t const* partials, std::uint32_t* prefixes, T const& like, Op const& op, site where) {
  constexpr int padded = power_of_two_from(Count), stretches = padded / Way.each;
  if constexpr (Count == padded) {
    prefix_stretch<stretches>(warp, partials, prefixes, read_partials<T, Op, Way.each, constant<Way.each>>{{}, {}, like, op}, where);
  } else {
    int const present = Count - stretch_of_lane<Way, Count>() * Way.each;
    prefix_stretch<stretches>(warp, partials, prefixes, read_partials<T, Op, Way.each, int>{{}, present, like, op}, where);
  }
}

}  // namespace detail

MUSTER_END
