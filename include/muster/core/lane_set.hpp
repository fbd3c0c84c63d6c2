// A set of the 32 lanes of a warp, as a structural value: it can be a template argument.
#pragma once

#include <cstdint>

#include <muster/config.hpp>

namespace muster {

inline constexpr int warp_size = 32;

// Bit i is set when lane i (the linear thread number modulo 32) is in the set.
struct lane_set {
  std::uint32_t bits = 0;

  friend MUSTER_FN constexpr bool operator==(lane_set, lane_set) = default;
  friend MUSTER_FN constexpr lane_set operator|(lane_set a, lane_set b) { return {a.bits | b.bits}; }
  friend MUSTER_FN constexpr lane_set operator&(lane_set a, lane_set b) { return {a.bits & b.bits}; }
  friend MUSTER_FN constexpr lane_set operator^(lane_set a, lane_set b) { return {a.bits ^ b.bits}; }
  friend MUSTER_FN constexpr lane_set operator-(lane_set a, lane_set b) { return {a.bits & ~b.bits}; }
  friend MUSTER_FN constexpr lane_set operator~(lane_set a) { return {~a.bits}; }

  MUSTER_FN constexpr bool empty() const { return bits == 0; }
  MUSTER_FN constexpr int count() const { return __builtin_popcount(bits); }
  MUSTER_FN constexpr bool contains(int lane) const { return (bits >> lane & 1u) != 0; }
  MUSTER_FN constexpr bool is_subset_of(lane_set other) const { return (bits & ~other.bits) == 0; }

  // The lowest and the highest lane; the set is not empty. (No __builtin_ctz: nvcc drops stores that depend on it.)
  MUSTER_FN constexpr int first() const { return 31 - __builtin_clz(bits & (0u - bits)); }
  MUSTER_FN constexpr int last() const { return 31 - __builtin_clz(bits); }

  // How many members lie below a lane: the rank of that lane, if it is a member.
  MUSTER_FN constexpr int rank_of(int lane) const { return __builtin_popcount(bits & ((1u << lane) - 1u)); }

  // The lane of a rank, 0 <= rank < count(): five halvings, no loop over lanes.
  MUSTER_FN constexpr int lane_of(int rank) const {
    int lane = 0;
    for (int half = 16; half > 0; half /= 2) {
      int const below = __builtin_popcount(bits >> lane & ((1u << half) - 1u));
      if (rank >= below) {
        rank -= below;
        lane += half;
      }
    }
    return lane;
  }

  // count lanes from first on; no lane, if a warp does not have them all.
  MUSTER_FN static constexpr lane_set range(int first, int count) {
    if (first < 0 || count <= 0 || count > warp_size - first) return {};
    return {prefix(count).bits << first};
  }
  // The first `count` lanes, 0 to 32 of them; a warp that knows so need not ask.
  MUSTER_FN static constexpr lane_set prefix(int count) { return {count >= warp_size ? 0xffffffffu : (1u << count) - 1u}; }
  MUSTER_FN static constexpr lane_set single(int lane) { return {1u << lane}; }
};

inline constexpr lane_set all_lanes{0xffffffffu};

// The lanes of the aligned tile of Width lanes in which a lane lies.
template <int Width>
MUSTER_FN constexpr lane_set tile_lanes(int lane) {
  return {lane_set::prefix(Width).bits << (lane & ~(Width - 1))};
}

}  // namespace muster
