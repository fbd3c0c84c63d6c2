// What each round of a plan has to achieve, before any instruction is chosen: per lane the sources that would do.
// Everything is built on one balanced tree per tile whose leaves are the tile's members in lane order.
#pragma once

#include <muster/core/lane_set.hpp>
#include <muster/plan/plan.hpp>
#include <muster/plan/tiles.hpp>

namespace muster::plan {

// One round. A member that does not take idles: it may read any member, and does not use what it gets.
struct round {
  lane_set sources[warp_size]{};  // per lane: each of these will do
  lane_set takes;                 // the lanes that use what they receive
  lane_set received_is_left;
  bool replaces = false;
};

struct scheme {
  int count = 0;
  round rounds[6]{};
};

// Where each member stands among the leaves of its tile's tree, and the levels at which some tile has two halves to join.
struct layout {
  int width = 0;
  lane_set members;
  int position[warp_size]{};
  unsigned levels = 0;  // bit k: blocks of 2^k leaves are joined
};

// Members packed to the left: the fewest levels for any set.
constexpr layout packed_by_rank(int width, lane_set members) {
  layout result{width, members, {}, 0};
  for (int lane = 0; lane < warp_size; ++lane) result.position[lane] = (members & tile_of_lane(width, lane)).rank_of(lane);
  result.levels = (1u << levels_of(largest_tile_count(width, members))) - 1u;
  return result;
}

// Members where their lanes stand: joins differ by single bits of the lane, which instructions like, but there may be more levels.
constexpr layout placed_by_lane(int width, lane_set members) {
  layout result{width, members, {}, 0};
  for (int lane = 0; lane < warp_size; ++lane) result.position[lane] = lane & (width - 1);
  for (int level = 0, half = 1; half < width; ++level, half *= 2) {
    for (int base = 0; base < warp_size; base += 2 * half) {
      bool const joins = !(members & lane_set::range(base, half)).empty() && !(members & lane_set::range(base + half, half)).empty();
      if (joins) result.levels |= 1u << level;
    }
  }
  return result;
}

// The members of each block of 2^level leaves, at the index of the tile's base plus the block's number.
struct blocks {
  lane_set of[warp_size]{};
};

constexpr blocks blocks_at(layout const& tree, int level) {
  blocks result;
  for (int lane = 0; lane < warp_size; ++lane) {
    if (!tree.members.contains(lane)) continue;
    lane_set& block = result.of[(lane & ~(tree.width - 1)) + (tree.position[lane] >> level)];
    block = block | lane_set::single(lane);
  }
  return result;
}

// Each member folds in any member of the sibling block, which holds the whole block's fold; the lower block is the left operand.
constexpr scheme reduce_scheme(layout const& tree) {
  scheme result;
  for (int level = 0; level < 5; ++level) {
    if ((tree.levels >> level & 1u) == 0) continue;
    blocks const all = blocks_at(tree, level);
    round& r = result.rounds[result.count++];
    for (int lane = 0; lane < warp_size; ++lane) {
      if (!tree.members.contains(lane)) continue;
      int const block = tree.position[lane] >> level;
      lane_set const sibling = all.of[(lane & ~(tree.width - 1)) + (block ^ 1)];
      if (sibling.empty()) continue;
      r.sources[lane] = sibling;
      r.takes = r.takes | lane_set::single(lane);
      if ((block & 1) != 0) r.received_is_left = r.received_is_left | lane_set::single(lane);
    }
  }
  return result;
}

// Scan by blocks: the members of an upper block fold in the last of the lower one, which holds that block's fold.
constexpr scheme block_scan_scheme(layout const& tree) {
  scheme result;
  for (int level = 0; level < 5; ++level) {
    if ((tree.levels >> level & 1u) == 0) continue;
    blocks const all = blocks_at(tree, level);
    round& r = result.rounds[result.count++];
    for (int lane = 0; lane < warp_size; ++lane) {
      int const block = tree.position[lane] >> level;
      if (!tree.members.contains(lane) || (block & 1) == 0) continue;
      lane_set const lower = all.of[(lane & ~(tree.width - 1)) + (block ^ 1)];
      if (lower.empty()) continue;
      r.sources[lane] = lane_set::single(lower.last());
      r.takes = r.takes | lane_set::single(lane);
    }
    r.received_is_left = r.takes;
  }
  return result;
}

// Each member uses what the member `distance` ranks below holds (above, if negative).
constexpr round shift_round(int width, lane_set members, int distance) {
  round r;
  for (int lane = 0; lane < warp_size; ++lane) {
    if (!members.contains(lane)) continue;
    lane_set const mine = members & tile_of_lane(width, lane);
    int const source = mine.rank_of(lane) - distance;
    if (source < 0 || source >= mine.count()) continue;
    r.sources[lane] = lane_set::single(mine.lane_of(source));
    r.takes = r.takes | lane_set::single(lane);
  }
  return r;
}

// Scan by shifts: after k rounds each member holds the fold of the 2^k ranks that end with its own.
constexpr scheme shift_scan_scheme(int width, lane_set members) {
  scheme result;
  int const levels = levels_of(largest_tile_count(width, members));
  for (int level = 0; level < levels; ++level) {
    round& r = result.rounds[result.count++];
    r = shift_round(width, members, 1 << level);
    r.received_is_left = r.takes;
  }
  return result;
}

// Turns an inclusive scan into the exclusive one: everybody gets the result of the rank below; rank 0 gets nothing.
constexpr scheme made_exclusive(scheme inclusive, int width, lane_set members) {
  round& r = inclusive.rounds[inclusive.count++];
  r = shift_round(width, members, 1);
  r.replaces = true;
  return inclusive;
}

// One move. Members whose source does not exist idle, so that what they are left with is the caller's choice.
constexpr scheme move_scheme(int width, lane_set members, move m, int n) {
  scheme result;
  result.count = 1;
  round& r = result.rounds[0];
  if (m == move::up || m == move::down) {
    r = shift_round(width, members, m == move::up ? n : -n);
  } else {
    for (int lane = 0; lane < warp_size; ++lane) {
      if (!members.contains(lane)) continue;
      lane_set const mine = members & tile_of_lane(width, lane);
      int const source = m == move::from_rank ? n : mine.rank_of(lane) ^ n;
      if (source < 0 || source >= mine.count()) continue;
      r.sources[lane] = lane_set::single(mine.lane_of(source));
      r.takes = r.takes | lane_set::single(lane);
    }
  }
  r.replaces = true;
  return result;
}

}  // namespace muster::plan
