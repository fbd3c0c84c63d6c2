// From a block to its warps: this_warp, only_warp, for_warps, and from a tile to narrower tiles.
#pragma once

#include <type_traits>

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/constant.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/members.hpp>
#include <muster/core/roll_call.hpp>
#include <muster/core/scope.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/with.hpp>

MUSTER_BEGIN

namespace detail {

// How many lanes of the caller's warp the block has.
template <class Dims>
MUSTER_FN int lanes_of_warp(block<Dims> b) {
  int const left = static_cast<int>(shape_of(b).volume()) - warp_rank(b) * warp_size;
  return left < warp_size ? left : warp_size;
}

// How many lanes warp number Index of a block of Count threads has.
template <int Count, int Index>
inline constexpr int warp_lanes = Count - Index * warp_size < warp_size ? Count - Index * warp_size : warp_size;

template <class Dims, int Index>
struct warp_exists_in_block {
  static_assert(Index >= 0 && (!Dims::is_static || Index * warp_size < Dims::count), "muster::only_warp<Index>: the block has no warp of this index");
  static constexpr bool value = true;
};

template <class Dims>
MUSTER_FN auto ragged_warp(block<Dims> b) {
  return mint::make<tile<warp_size, ragged>>(lane_set::prefix(lanes_of_warp(b)));
}

}  // namespace detail

// The caller's warp. All threads of the warp must call it together. Members: all 32 lanes where the block's size is a multiple of 32, the first ones, known at
// compile time, where the block is a single smaller warp; otherwise `ragged`: use for_warps to treat the last warp apart and keep the speed of the others.
template <class Dims>
MUSTER_FN auto this_warp(block<Dims> b) {
  if constexpr (Dims::is_static && Dims::count % warp_size == 0) {
    return detail::mint::make<tile<warp_size>>(all_lanes);
  } else if constexpr (Dims::is_static && Dims::count < warp_size) {
    return detail::mint::make<tile<warp_size, lanes<lane_set::range(0, Dims::count)>>>(lane_set::range(0, Dims::count));
  } else {
    return detail::ragged_warp(b);
  }
}

// body(warp, state...) in warp Index of the block alone, with that warp's token. Every thread of the block must reach it.
template <int Index, class Dims, class Body, class... Ts>
MUSTER_FN void only_warp(block<Dims> b, detail::state_list<Ts...> state, Body const& body, site where = site::here()) {
  static_assert(detail::warp_exists_in_block<Dims, Index>::value);
  detail::call_roll_of_block(narrowing_kind::only_warp, Index, where);
  if (warp_rank(b) != Index) return;
  if constexpr (Dims::is_static && (Index < 0 || Index * warp_size >= Dims::count)) {
    // refused above
  } else if constexpr (Dims::is_static) {
    constexpr lane_set members = lane_set::range(0, detail::warp_lanes<Dims::count, Index>);
    detail::enter(detail::mint::make<tile<warp_size, lanes<members>>>(members), body, state, where);
  } else {
    detail::enter(detail::ragged_warp(b), body, state, where);
  }
}
template <int Index, class Dims, class Body>
MUSTER_FN void only_warp(block<Dims> b, Body const& body, site where = site::here()) {
  only_warp<Index>(b, with(), body, where);
}

// full(warp, state...) in every warp of 32 lanes, with the token of all lanes; last(warp, state...) in the ragged last warp, if there is one: its members are known
// at compile time where the block's dimensions are. Every thread of the block must reach it.
template <class Dims, class Full, class Last, class... Ts>
MUSTER_FN void for_warps(block<Dims> b, detail::state_list<Ts...> state, Full const& full, Last const& last, site where = site::here()) {
  detail::call_roll_of_block(narrowing_kind::for_warps, 0, where);
  auto const run_full = [&] { detail::enter(detail::mint::make<tile<warp_size>>(all_lanes), full, state, where); };
  if constexpr (Dims::is_static && Dims::count % warp_size == 0) {
    run_full();
  } else if constexpr (Dims::is_static) {
    constexpr int last_index = Dims::count / warp_size;
    if (warp_rank(b) < last_index) {
      run_full();
    } else {
      constexpr lane_set members = lane_set::range(0, Dims::count % warp_size);
      detail::enter(detail::mint::make<tile<warp_size, lanes<members>>>(members), last, state, where);
    }
  } else {
    if (detail::lanes_of_warp(b) == warp_size) {
      run_full();
    } else {
      detail::enter(detail::ragged_warp(b), last, state, where);
    }
  }
}
template <class Dims, class Full, class Last>
MUSTER_FN void for_warps(block<Dims> b, Full const& full, Last const& last, site where = site::here()) {
  for_warps(b, with(), full, last, where);
}

namespace detail {

template <int Asked, int Width>
struct partition_is_not_wider {
  static_assert(is_tile_width<Asked>, "muster::tiled_partition<W>(g): a tile has 1, 2, 4, 8, 16 or 32 lanes");
  static_assert(Asked <= Width, "muster::tiled_partition<W>(g): a partition is not wider than what it divides");
  static constexpr bool value = true;
};

}  // namespace detail

// The same lanes, cut into aligned tiles of Asked lanes: a collective then works in each tile, still as one instruction for all of them. Narrows nobody, so it
// returns a token. Cost: nothing.
template <int Asked, int Width, class Members>
MUSTER_FN tile<Asked, Members> tiled_partition(tile<Width, Members> g) {
  static_assert(detail::partition_is_not_wider<Asked, Width>::value);
  return detail::mint::make<tile<Asked, Members>>(g.all_members());
}

// The caller's position among the members of its tile: 0 to num_threads - 1. Cost: one special register and an AND, or a population count where members are scattered.
template <int Width, class Members>
MUSTER_FN int thread_rank(tile<Width, Members> g) {
  if constexpr (tile<Width, Members>::facts::ranks_are_lanes) {
    return backend::lane() & (Width - 1);
  } else {
    return g.own_members().rank_of(backend::lane());
  }
}

// How many members the caller's tile has: a constant<N> where every tile has the same, otherwise uniform in the tile.
template <int Width, class Members>
MUSTER_FN auto num_threads(tile<Width, Members> g) {
  using facts = typename tile<Width, Members>::facts;
  if constexpr (facts::static_count != 0) {
    return constant<facts::static_count>{};
  } else {
    return detail::mint::make<uniform<int, tile<Width, Members>>>(g.own_members().count());
  }
}

// Which of the warp's aligned tiles of Width lanes is the caller's, and how many such tiles the warp has, those without members counted.
template <int Width, class Members>
MUSTER_FN auto meta_group_rank(tile<Width, Members>) {
  return detail::mint::make<uniform<int, tile<Width, Members>>>(static_cast<int>(static_cast<unsigned>(backend::lane()) / Width));
}
template <int Width, class Members>
MUSTER_FN auto meta_group_size(tile<Width, Members> g) {
  if constexpr (std::is_same_v<Members, ragged>) {
    return detail::mint::make<uniform<int, tile<Width, Members>>>((g.all_members().count() + Width - 1) / Width);
  } else {
    return constant<warp_size / Width>{};
  }
}

// Waits for all members of the token and orders their memory accesses; the only warp primitive that orders memory. All members must call it.
// Cost: one bar.warp.sync. Source: PTX ISA, "bar.warp.sync".
template <int Width, class Members>
MUSTER_FN void sync(tile<Width, Members> g, site where = site::here()) {
  backend::sync_warp(g.all_members().bits, where);
}

MUSTER_END
