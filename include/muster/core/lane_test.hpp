// Is this lane in a set known at compile time? In the fewest instructions: no run-time mask arithmetic where a comparison or one bit will do.
#pragma once

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>

MUSTER_BEGIN

namespace detail {

// The bit k for which the set is exactly the lanes with that bit set (or clear); -1 if there is none.
MUSTER_FN constexpr int deciding_bit(lane_set set, bool value) {
  for (int k = 0; k < 5; ++k) {
    bool decides = true;
    for (int lane = 0; lane < warp_size; ++lane) decides = decides && set.contains(lane) == ((lane >> k & 1) != 0 ? value : !value);
    if (decides) return k;
  }
  return -1;
}

template <lane_set S>
struct set_shape {
  static constexpr bool is_all = S == all_lanes;
  static constexpr bool is_prefix = S == lane_set::range(0, S.count());
  static constexpr bool is_suffix = !S.empty() && S == lane_set::range(S.first(), warp_size - S.first());
  static constexpr bool is_single = S.count() == 1;
  static constexpr int bit_set = deciding_bit(S, true);
  static constexpr int bit_clear = deciding_bit(S, false);
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
  } else if constexpr (shape::bit_set >= 0) {
    return (lane >> shape::bit_set & 1) != 0;
  } else if constexpr (shape::bit_clear >= 0) {
    return (lane >> shape::bit_clear & 1) == 0;
  } else {
    return S.contains(lane);
  }
}

}  // namespace detail

MUSTER_END
