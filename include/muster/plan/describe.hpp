// A plan as text for people: per round the instruction, and a drawing of who reads whom. Host only.
#pragma once

#include <string>

#include <muster/core/lane_set.hpp>
#include <muster/core/shuffle_mode.hpp>
#include <muster/plan/plan.hpp>
#include <muster/plan/tiles.hpp>

namespace muster::plan {

namespace text {

inline std::string hex(unsigned value) {
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789abcdef"[value & 15u]);
    value >>= 4;
  } while (value != 0);
  return "0x" + digits;
}

inline std::string padded(std::string const& s, std::size_t width) { return s.size() < width ? std::string(width - s.size(), ' ') + s : s; }
inline std::string labelled(std::string const& label) { return "    " + label + std::string(label.size() < 7 ? 7 - label.size() : 0, ' '); }

// A set as its runs: 0-5 8-13.
inline std::string runs(lane_set lanes) {
  std::string result;
  for (int lane = 0; lane < warp_size; ++lane) {
    if (!lanes.contains(lane)) continue;
    int end = lane;
    while (end + 1 < warp_size && lanes.contains(end + 1)) ++end;
    result += (result.empty() ? "" : " ") + std::to_string(lane) + (end > lane ? "-" + std::to_string(end) : "");
    lane = end;
  }
  return result;
}

inline char const* name_of(shuffle_mode mode) {
  switch (mode) {
    case shuffle_mode::up: return "up";
    case shuffle_mode::down: return "down";
    case shuffle_mode::bfly: return "bfly";
    case shuffle_mode::idx: return "idx";
  }
  return "?";
}

inline std::string operand_of(step const& s, int index) {
  switch (s.from) {
    case operand::constant: return std::to_string(s.arg);
    case operand::keep_xor: return "(lane & " + hex(s.keep) + ") ^ " + std::to_string(s.arg);
    case operand::table: return index == 0 ? "word & 31" : "word >> " + std::to_string(5 * index) + " & 31";
  }
  return "?";
}

inline std::string instruction(step const& s, int index) {
  return std::string("shfl.sync.") + name_of(s.mode) + " " + operand_of(s, index) + "  (c=" + hex(s.c) + ")";
}

inline char const* guard_of(step const& s) {
  switch (s.use) {
    case guard::always: return "every member takes";
    case guard::in_range: return "who is in range takes";
    case guard::lane_test: return "a test of the lane says who takes";
  }
  return "?";
}

// Whom the lanes of a tile read in a step; -1 where a lane does not use what it gets, -2 where it is no member.
struct reads {
  int of[warp_size]{};
};

inline reads reads_of(plan const& p, int index, lane_set members) {
  reads result;
  for (int lane = 0; lane < warp_size; ++lane) {
    step const& s = p.steps[index];
    shuffle_source const source = source_of(s.mode, lane, p.operand_of(index, lane), s.c);
    bool const takes = s.use == guard::always || (s.use == guard::in_range ? source.in_range : s.takes.contains(lane));
    result.of[lane] = !members.contains(lane) ? -2 : takes ? source.lane : -1;
  }
  return result;
}

// Whether two tiles look the same in every round, lanes counted from the tile's first.
inline bool are_alike(plan const& p, int width, lane_set members, int base, int other) {
  if ((members.bits >> base & lane_set::range(0, width).bits) != (members.bits >> other & lane_set::range(0, width).bits)) return false;
  for (int i = 0; i < p.count; ++i) {
    reads const r = reads_of(p, i, members);
    for (int lane = 0; lane < width; ++lane) {
      int const a = r.of[base + lane];
      int const b = r.of[other + lane];
      if ((a < 0 || b < 0) ? a != b : a - base != b - other) return false;
    }
  }
  return true;
}

// A cell: the source, on the side of the operator on which it stands. "3*" is received * own, "*3" own * received.
inline std::string cell(step const& s, int lane, int source) {
  if (source < 0) return "-";
  std::string const name = std::to_string(source);
  return s.replaces ? name : s.received_is_left.contains(lane) ? name + "*" : "*" + name;
}

// One tile: a column per member, a row per round with the lane that each reads, and the same in ranks where ranks are not lanes.
inline std::string drawing(plan const& p, int width, lane_set members, int base) {
  lane_set const mine = members & lane_set::range(base, width);
  std::string by_lane = labelled("lane");
  std::string by_rank = labelled("rank");
  bool same = true;
  for (int rank = 0; rank < mine.count(); ++rank) {
    by_lane += padded(std::to_string(mine.lane_of(rank)), 4);
    by_rank += padded(std::to_string(rank), 4);
    same = same && mine.lane_of(rank) == rank;
  }
  for (int i = 0; i < p.count; ++i) {
    reads const r = reads_of(p, i, members);
    by_lane += "\n" + labelled("round " + std::to_string(i + 1));
    by_rank += "\n" + labelled("round " + std::to_string(i + 1));
    for (int rank = 0; rank < mine.count(); ++rank) {
      int const lane = mine.lane_of(rank);
      int const source = r.of[lane];
      by_lane += padded(cell(p.steps[i], lane, source), 4);
      bool const outside = source >= 0 && !mine.contains(source);
      by_rank += padded(outside ? "?" : cell(p.steps[i], lane, source < 0 ? source : mine.rank_of(source)), 4);
    }
  }
  return by_lane + "\n" + (same ? "" : by_rank + "\n");
}

}  // namespace text

// The text of a plan: how many shuffles, the instruction of each round, and per tile who reads whom (tiles that look alike are drawn once).
inline std::string describe(plan const& p, int width, lane_set members) {
  int tiles = 0;
  for (int base = 0; base < warp_size; base += width) tiles += (members & lane_set::range(base, width)).empty() ? 0 : 1;
  int const smallest = smallest_tile_count(width, members);
  int const largest = largest_tile_count(width, members);
  std::string result = "width " + std::to_string(width) + ", lanes " + text::hex(members.bits) + " (" + text::runs(members) + "): " + std::to_string(tiles) +
                       (tiles == 1 ? " tile of " : " tiles of ") + std::to_string(smallest) + (largest > smallest ? " to " + std::to_string(largest) : "") +
                       (largest == 1 ? " member, " : " members, ") + std::to_string(p.count) + (p.count == 1 ? " shuffle" : " shuffles");
  result += p.uses_table ? ", a word per lane from a table\n" : "\n";
  if (p.count == 0) return result + "nothing to do: every member already holds the result\n";
  for (int i = 0; i < p.count; ++i) {
    step const& s = p.steps[i];
    result += "round " + std::to_string(i + 1) + ": " + text::instruction(s, i) + "  " + (s.replaces ? "replaces" : "folds") + "; " + text::guard_of(s) + "\n";
  }
  result +=
      "who reads whom: in the row of a round, below each lane, the lane whose value it gets and how it folds that in:\n"
      "    3* is received * own, *3 is own * received, 3 replaces its own, - takes nothing\n";
  lane_set drawn;
  for (int base = 0; base < warp_size; base += width) {
    if (drawn.contains(base) || (members & lane_set::range(base, width)).empty()) continue;
    std::string alike;
    for (int other = base + width; other < warp_size; other += width) {
      if (!text::are_alike(p, width, members, base, other)) continue;
      drawn = drawn | lane_set::single(other);
      alike += (alike.empty() ? " " : ", ") + std::to_string(other);
    }
    result += text::drawing(p, width, members, base);
    if (!alike.empty()) result += "    and likewise in the tiles from lane" + alike + "\n";
  }
  if (p.uses_table) {
    result += "words:";
    for (int lane = 0; lane < warp_size; ++lane) {
      if (members.contains(lane)) result += " " + std::to_string(lane) + ":" + text::hex(p.words[lane]);
    }
    result += "\n";
  }
  return result;
}

}  // namespace muster::plan
