// The same folds where the members are known at run time only. All members of the token go through the same number of rounds, log2(Width), however many a tile has,
// because they share the shuffles.
#pragma once

#include <cstdint>
#include <type_traits>

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/shuffle_mode.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/primitive/fold_in_range.hpp>

MUSTER_BEGIN

namespace detail {

// shfl.sync.idx's c operand for the whole warp.
inline constexpr unsigned whole_warp = 0x1f;

// The lane of a rank of the caller's tile; the rank exists.
template <int Width, class Members>
MUSTER_FN int lane_of_rank(tile<Width, Members> g, int rank) {
  if constexpr (tile<Width, Members>::facts::ranks_are_lanes) {
    return (backend::lane() & ~(Width - 1)) + rank;
  } else {
    return g.own_members().lane_of(rank);
  }
}

// The caller among the members of its tile.
template <int Width, class Members>
struct ranked_lane {
  tile<Width, Members> group;
  int lane;
  int rank;
  int count;

  MUSTER_FN explicit ranked_lane(tile<Width, Members> g) : group(g), lane(backend::lane()), rank(0), count(0) {
    lane_set const own = g.own_members();
    rank = own.rank_of(lane);
    count = own.count();
  }

  // What the member of a rank holds; the caller's own value if `exists` is false.
  template <class T>
  MUSTER_FN T from(int source_rank, bool exists, T const& v, site where) const {
    int const source = exists ? lane_of_rank(group, source_rank) : lane;
    return backend::shuffle<shuffle_mode::idx>(group.all_members().bits, v, static_cast<unsigned>(source), whole_warp, where);
  }
};

// Member r gets a·...·(r-th). Each member follows the chain of those below it: whom it reads next, its present source knows.
template <int Width, class Members, class T, class Op>
MUSTER_FN T scan_by_rank(tile<Width, Members> g, T v, Op const& op, site where) {
  std::uint32_t const all = g.all_members().bits;
  int const lane = backend::lane();
  int below = backend::last_bit(g.own_members().bits & ((1u << lane) - 1u));
MUSTER_UNROLL
  for (int distance = 1; distance < Width; distance *= 2) {
    bool const exists = below >= 0;
    unsigned const source = static_cast<unsigned>(exists ? below : lane);
    T const received = backend::shuffle<shuffle_mode::idx>(all, v, source, whole_warp, where);
    if (2 * distance < Width) below = backend::shuffle<shuffle_mode::idx>(all, below, source, whole_warp, where);
    if (exists) v = op(received, v);
  }
  return v;
}

// Every member gets a·b·c·..., in rank order.
template <int Width, class Members, class T, class Op>
MUSTER_FN T reduce_by_rank(tile<Width, Members> g, T v, Op const& op, site where) {
  if constexpr (tile<Width, Members>::facts::ranks_are_lanes && commutes_bitwise<Op, T>) {
    // The clamp is the last member's rank: shfl itself finds that a sibling does not exist.
    ranked_lane<Width, Members> const me(g);
    unsigned const segment_up_to_last = segment_operand(Width, 0) | static_cast<unsigned>(me.count - 1);
MUSTER_UNROLL
    for (int block = 1; block < Width; block *= 2) {
      unsigned const sibling = static_cast<unsigned>((me.rank & ~(block - 1)) ^ block);
      v = fold_in_range<shuffle_mode::idx>(g.all_members().bits, v, sibling, segment_up_to_last, me.lane, op, where);
    }
    return v;
  } else {
    unsigned const last = static_cast<unsigned>(backend::last_bit(g.own_members().bits));
    return backend::shuffle<shuffle_mode::idx>(g.all_members().bits, scan_by_rank(g, v, op, where), last, whole_warp, where);
  }
}

// Member r gets what member r - distance holds, the first ones `fill`; a negative distance reads upwards.
template <int Width, class Members, class T, class Fill>
MUSTER_FN T shift_by_rank(tile<Width, Members> g, T const& v, int distance, Fill const& fill, site where) {
  ranked_lane<Width, Members> const me(g);
  int const source = me.rank - distance;
  bool const exists = source >= 0 && source < me.count;
  T const received = me.from(source, exists, v, where);
  if constexpr (std::is_same_v<Fill, own_value>) return received;
  else return exists ? received : fill;
}

}  // namespace detail

MUSTER_END
