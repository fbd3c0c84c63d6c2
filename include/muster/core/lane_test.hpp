// Is this lane in a set known at compile time? In the fewest instructions: no run-time mask arithmetic where a comparison or one bit will do.
#pragma once

#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>

MUSTER_BEGIN

namespace detail {

// A set of all lanes with (lane & mask) == value, for some mask and value: half a warp, every fourth lane, a single one.
struct lane_cube {
  bool exists = false;
  int mask = 0;
  int value = 0;
};

MUSTER_FN constexpr lane_cube cube_of(lane_set set) {
  if (set.empty()) return {};
  int const first = set.first();
  int varying = 0;
  for (int lane = 0; lane < warp_size; ++lane) {
    if (set.contains(lane)) varying |= lane ^ first;
  }
  int const mask = (warp_size - 1) & ~varying;
  return {set.count() == 1 << __builtin_popcount(static_cast<unsigned>(varying)), mask, first & mask};
}

template <lane_set S>
struct set_shape {
  static constexpr bool is_all = S == all_lanes;
  static constexpr bool is_prefix = S == lane_set::range(0, S.count());
  static constexpr bool is_suffix = !S.empty() && S == lane_set::range(S.first(), warp_size - S.first());
  static constexpr bool is_single = S.count() == 1;
  static constexpr lane_cube inside = cube_of(S);
  static constexpr lane_cube outside = cube_of(~S);
};

// Whether the lane is in S.
template <lane_set S>
MUSTER_FN bool lane_is_in(int lane) {
  using shape = set_shape<S>;
  if constexpr (S.empty()) {
    return false;
  } else if constexpr (shape::is_all) {
    return true;
  } else if constexpr (shape::is_single) {
    return lane == S.first();
  } else if constexpr (shape::is_prefix) {
    return lane < S.count();
  } else if constexpr (shape::is_suffix) {
    return lane >= S.first();
  } else if constexpr (shape::inside.exists) {
    return (lane & shape::inside.mask) == shape::inside.value;
  } else if constexpr (shape::outside.exists) {
    return (lane & shape::outside.mask) != shape::outside.value;
  } else {
    return S.contains(lane);
  }
}

}  // namespace detail

MUSTER_END
