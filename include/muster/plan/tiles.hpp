// Questions about the tiles of a member set: how many members each holds, and which moves stay inside them.
// A tile is an aligned run of `width` lanes; a tile without members does not count.
#pragma once

#include <muster/core/lane_set.hpp>
#include <muster/plan/plan.hpp>

namespace muster::plan {

// The lanes of the aligned tile in which a lane lies, for a width known at run time.
MUSTER_FN constexpr lane_set tile_of_lane(int width, int lane) { return lane_set::range(lane & ~(width - 1), width); }

MUSTER_FN constexpr bool is_tile_width(int width) { return width >= 1 && width <= warp_size && (width & (width - 1)) == 0; }

// The member count of the smallest and of the largest tile that has members; 0 when nobody is a member.
MUSTER_FN constexpr int smallest_tile_count(int width, lane_set members) {
  int smallest = 0;
  for (int base = 0; base < warp_size; base += width) {
    int const count = (members & lane_set::range(base, width)).count();
    if (count != 0 && (smallest == 0 || count < smallest)) smallest = count;
  }
  return smallest;
}

MUSTER_FN constexpr int largest_tile_count(int width, lane_set members) {
  int largest = 0;
  for (int base = 0; base < warp_size; base += width) {
    int const count = (members & lane_set::range(base, width)).count();
    if (count > largest) largest = count;
  }
  return largest;
}

// Whether rank ^ n is a rank of the same tile for every member.
MUSTER_FN constexpr bool is_closed_under_exchange(int width, lane_set members, int n) {
  if (n < 0 || n >= width) return false;
  for (int base = 0; base < warp_size; base += width) {
    int const count = (members & lane_set::range(base, width)).count();
    for (int rank = 0; rank < count; ++rank) {
      if ((rank ^ n) >= count) return false;
    }
  }
  return true;
}

template <int Width>
MUSTER_FN constexpr int smallest_tile_count(lane_set members) { return smallest_tile_count(Width, members); }
template <int Width>
MUSTER_FN constexpr int largest_tile_count(lane_set members) { return largest_tile_count(Width, members); }
template <int Width>
MUSTER_FN constexpr bool is_closed_under_exchange(lane_set members, int n) { return is_closed_under_exchange(Width, members, n); }

// The largest n under which every tile's ranks are closed; closed sets are those of the n below the lowest power of two in all counts.
template <int Width>
MUSTER_FN constexpr int largest_exchange(lane_set members) {
  int largest = 0;
  for (int n = 1; n < Width; ++n) {
    if (is_closed_under_exchange(Width, members, n)) largest = n;
  }
  return largest;
}

// Whether a move means something in every tile: the rank it names exists.
MUSTER_FN constexpr bool is_defined(int width, lane_set members, move m, int n) {
  if (!is_tile_width(width) || members.empty() || n < 0) return false;
  if (m == move::exchange) return is_closed_under_exchange(width, members, n);
  return n < smallest_tile_count(width, members);
}

// ceil(log2 n): how many times a tile of n members has to be halved.
MUSTER_FN constexpr int levels_of(int count) { return count <= 1 ? 0 : 32 - __builtin_clz(static_cast<unsigned>(count - 1)); }

}  // namespace muster::plan
