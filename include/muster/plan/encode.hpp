// From what a round must achieve to the cheapest shuffle that achieves it. Nothing here recognises a pattern: forms are tried in order of cost.
#pragma once

#include <muster/core/lane_set.hpp>
#include <muster/core/shuffle_mode.hpp>
#include <muster/plan/generate.hpp>
#include <muster/plan/plan.hpp>

namespace muster::plan {

// In quarters of an instruction, as counted in sm_90 machine code. shfl's own predicate is free where the fold can be predicated.
namespace cost {
inline constexpr int in_range = 1;
inline constexpr int keep_xor = 4;      // one three-input logic operation
inline constexpr int lane_test = 8;     // shift and test
inline constexpr int table_step = 4;    // shift of the lane's word
inline constexpr int table_setup = 16;  // address and load, once a plan
inline constexpr int impossible = 1 << 20;
}  // namespace cost

// One way to encode a round, if one was found. (The price defaults to zero: see plan::step.)
struct candidate {
  step shuffle;
  std::uint8_t operands[warp_size]{};  // per lane, when it comes from the table
  bool found = false;
  int price = 0;

  constexpr int price_or_more() const { return found ? price : cost::impossible; }
};

// Where each lane would read if nothing were out of range; may lie outside the warp.
struct natural_sources {
  int of[warp_size]{};
};

// shfl's edge is (lane & segment) + t with t, the free bits of the clamp, the same in all lanes. This is the interval of t that serves a round.
struct clamp_interval {
  int low = 0;
  int high = 31;

  constexpr bool empty() const { return low > high; }
};

// `strict`: idle lanes have to be out of range, so that shfl's predicate says who takes. Otherwise they only have to read a member.
constexpr clamp_interval clamps_for(round const& r, lane_set members, shuffle_mode mode, int segment, natural_sources const& natural, bool strict) {
  clamp_interval result;
  for (int lane = 0; lane < warp_size; ++lane) {
    if (!members.contains(lane)) continue;
    int const source = natural.of[lane];
    int const relative = source - (lane & segment);
    bool const inside_warp = source >= 0 && source < warp_size;
    if (r.takes.contains(lane)) {
      if (mode == shuffle_mode::up) {
        if (relative < result.high) result.high = relative;
      } else if (relative > result.low) {
        result.low = relative;
      }
      continue;
    }
    bool const may_be_in_range = r.may_take.contains(lane) ? inside_warp && r.sources[lane].contains(source)
                                                           : !strict && inside_warp && members.contains(source);
    if (may_be_in_range) continue;
    if (mode == shuffle_mode::up) {
      if (relative + 1 > result.low) result.low = relative + 1;
    } else if (relative - 1 < result.high) {
      result.high = relative - 1;
    }
  }
  return result;
}

// The allowed clamp nearest to the one CUDA's intrinsics pass (0 for up, all ones else), or -1. Free bits are those not in `segment`.
constexpr int clamp_in(clamp_interval allowed, shuffle_mode mode, int segment) {
  if (allowed.empty()) return -1;
  int const free_bits = ~segment & 31;
  if (mode == shuffle_mode::up) {
    for (int t = 0;; t = (t - free_bits) & free_bits) {
      if (t >= allowed.low) return t <= allowed.high ? t : -1;
      if (t == free_bits) return -1;
    }
  }
  if (allowed.high >= free_bits && allowed.low <= free_bits) return 31;
  for (int t = free_bits;; t = (t - 1) & free_bits) {
    if (t <= allowed.high) return t >= allowed.low ? t : -1;
    if (t == 0) return -1;
  }
}

// All ways for one round. Segments are tried from the tile's own to the other powers of two.
class encoder {
public:
  constexpr encoder(round const& r, int width, lane_set members) : round_{r}, members_{members} {
    segments_[0] = -width & 31;
    int next = 1;
    for (int w = warp_size; w >= 1; w /= 2) {
      if (w != width) segments_[next++] = -w & 31;
    }
    idle_ = members_ - round_.takes - round_.may_take;
  }

  // The cheapest way without a table.
  constexpr candidate direct() const {
    candidate best;
    try_constants(best, true);
    if (!best.found) try_keep_xor(best, true);
    if (idle_.empty()) return best;
    if (!best.found) try_constants(best, false);
    if (!best.found) try_keep_xor(best, false);
    return best;
  }

  // The cheapest way with a table; there always is one.
  constexpr candidate tabled() const {
    candidate best;
    for (int segment : segments_) {
      if (try_table(best, shuffle_mode::idx, segment)) return best;
      if (try_table(best, shuffle_mode::up, segment)) return best;
      if (try_table(best, shuffle_mode::down, segment)) return best;
    }
    if (try_table(best, shuffle_mode::bfly, 31)) return best;
    for (int lane = 0; lane < warp_size; ++lane) {
      if (!members_.contains(lane)) continue;
      best.operands[lane] = static_cast<std::uint8_t>(idle_.contains(lane) ? lane : round_.sources[lane].first());
    }
    best.found = true;
    best.price = cost::table_step + cost::lane_test;
    best.shuffle = shuffle(shuffle_mode::idx, operand::table, guard::lane_test, 0, 0, 0, 31);
    return best;
  }

private:
  constexpr step shuffle(shuffle_mode mode, operand from, guard use, int arg, int keep, int segment, int clamp) const {
    step s;
    s.mode = mode;
    s.from = from;
    s.use = use;
    s.arg = static_cast<std::uint8_t>(arg);
    s.keep = static_cast<std::uint8_t>(keep);
    s.c = static_cast<std::uint16_t>(segment << 8 | clamp);
    s.replaces = round_.replaces;
    s.takes = use == guard::always ? members_ : round_.takes;
    s.received_is_left = round_.received_is_left;
    return s;
  }

  constexpr guard strict_guard() const { return idle_.empty() ? guard::always : guard::in_range; }
  constexpr int guard_price(bool strict) const { return !strict ? cost::lane_test : idle_.empty() ? 0 : cost::in_range; }

  // The lane whose sources are tried first: any taker; -1 if nobody takes.
  constexpr int pivot() const {
    lane_set const candidates = round_.takes.empty() ? round_.may_take : round_.takes;
    return candidates.empty() ? -1 : candidates.first();
  }

  // Where a lane reads with a constant operand, before shfl compares it with the edge.
  static constexpr int natural_source(shuffle_mode mode, int segment, int arg, int lane) {
    switch (mode) {
      case shuffle_mode::up: return lane - arg;
      case shuffle_mode::down: return lane + arg;
      case shuffle_mode::bfly: return lane ^ arg;
      case shuffle_mode::idx: return (lane & segment) | (arg & ~segment);
    }
    return lane;
  }

  constexpr bool is_source(int lane, int source) const {
    return source >= 0 && source < warp_size && round_.sources[lane].contains(source);
  }

  constexpr bool constant_serves_takers(shuffle_mode mode, int segment, int arg) const {
    for (int lane = 0; lane < warp_size; ++lane) {
      if (round_.takes.contains(lane) && !is_source(lane, natural_source(mode, segment, arg, lane))) return false;
    }
    return true;
  }

  constexpr bool keep_xor_serves_takers(int keep, int arg) const {
    for (int lane = 0; lane < warp_size; ++lane) {
      if (round_.takes.contains(lane) && !is_source(lane, (lane & keep) ^ arg)) return false;
    }
    return true;
  }

  // Looks for a segment and clamp under which one constant serves; idx tries only the segment that shaped its sources.
  constexpr bool try_constant(candidate& best, shuffle_mode mode, int shaping_segment, int arg, bool strict) const {
    if (arg < 0 || arg > 31 || !constant_serves_takers(mode, shaping_segment, arg)) return false;
    natural_sources natural;
    for (int lane = 0; lane < warp_size; ++lane) natural.of[lane] = natural_source(mode, shaping_segment, arg, lane);
    for (int segment : segments_) {
      if (mode == shuffle_mode::idx && segment != shaping_segment) continue;
      int const clamp = clamp_in(clamps_for(round_, members_, mode, segment, natural, strict), mode, segment);
      if (clamp < 0) continue;
      best.found = true;
      best.price = guard_price(strict);
      best.shuffle = shuffle(mode, operand::constant, strict ? strict_guard() : guard::lane_test, arg, 0, segment, clamp);
      return true;
    }
    return false;
  }

  constexpr void try_constants(candidate& best, bool strict) const {
    int const first = pivot();
    if (first < 0) {  // nobody takes: everybody out of range
      try_constant(best, shuffle_mode::up, 0, 1, strict);
      return;
    }
    lane_set const sources = round_.sources[first];
    // Where somebody idles up comes first: it is what scans are written with, and one form for all their rounds.
    shuffle_mode const exchange_first[]{shuffle_mode::bfly, shuffle_mode::up, shuffle_mode::down};
    shuffle_mode const shift_first[]{shuffle_mode::up, shuffle_mode::down, shuffle_mode::bfly};
    for (shuffle_mode mode : idle_.empty() ? exchange_first : shift_first) {
      for (int source = 0; source < warp_size; ++source) {
        if (!sources.contains(source)) continue;
        int const arg = mode == shuffle_mode::bfly ? first ^ source : mode == shuffle_mode::up ? first - source : source - first;
        if (try_constant(best, mode, 0, arg, strict)) return;
      }
    }
    for (int segment : segments_) {
      for (int source = 0; source < warp_size; ++source) {
        if (!sources.contains(source) || (source & segment) != (first & segment)) continue;
        if (try_constant(best, shuffle_mode::idx, segment, source & ~segment, strict)) return;
      }
    }
  }

  // (lane & keep) ^ arg through idx, or the same sources through bfly, whose edge may depend on the lane.
  constexpr void try_keep_xor(candidate& best, bool strict) const {
    int const first = pivot();
    if (first < 0) return;
    for (int source = 0; source < warp_size; ++source) {
      if (!round_.sources[first].contains(source)) continue;
      for (int keep = 1; keep < 31; ++keep) {
        int const arg = (first & keep) ^ source;
        if (!keep_xor_serves_takers(keep, arg)) continue;
        natural_sources natural;
        for (int lane = 0; lane < warp_size; ++lane) natural.of[lane] = (lane & keep) ^ arg;
        int clamp = clamp_in(clamps_for(round_, members_, shuffle_mode::idx, 0, natural, strict), shuffle_mode::idx, 0);
        shuffle_mode mode = shuffle_mode::idx;
        int segment = 0;
        for (int other : segments_) {
          if (clamp >= 0) break;
          mode = shuffle_mode::bfly;
          segment = other;
          clamp = clamp_in(clamps_for(round_, members_, mode, segment, natural, strict), mode, segment);
        }
        if (clamp < 0) continue;
        best.found = true;
        best.price = cost::keep_xor + guard_price(strict);
        int const kept = mode == shuffle_mode::idx ? keep : ~keep & 31;
        best.shuffle = shuffle(mode, operand::keep_xor, strict ? strict_guard() : guard::lane_test, arg, kept, segment, clamp);
        return;
      }
    }
  }

  // A source of a lane that the mode can reach in its segment: the lowest for idx, the nearest otherwise; -1 if none.
  constexpr int reachable(shuffle_mode mode, int segment, int lane) const {
    lane_set const here = round_.sources[lane];
    int const base = lane & segment;
    int const top = base | (~segment & 31);
    switch (mode) {
      case shuffle_mode::idx:
        for (int j = 0; j < warp_size; ++j) {
          if ((j & segment) == base && here.contains(j)) return j;
        }
        return -1;
      case shuffle_mode::up:
        for (int j = lane; j >= base; --j) {
          if (here.contains(j)) return j;
        }
        return -1;
      case shuffle_mode::down:
        for (int j = lane; j <= top; ++j) {
          if (here.contains(j)) return j;
        }
        return -1;
      case shuffle_mode::bfly: {  // with segment 31 the edge is the lane itself
        lane_set const below = here & lane_set::range(0, lane + 1);
        return below.empty() ? -1 : below.first();
      }
    }
    return -1;
  }

  constexpr bool try_table(candidate& best, shuffle_mode mode, int segment) const {
    int const free_bits = ~segment & 31;
    int clamp = mode == shuffle_mode::up ? 0 : 31;
    if (mode == shuffle_mode::idx && !idle_.empty()) {  // the lowest clamp, to leave the idle lanes something out of range
      clamp = 0;
      for (int lane = 0; lane < warp_size; ++lane) {
        if (!members_.contains(lane) || idle_.contains(lane)) continue;
        int const source = reachable(mode, segment, lane);
        if (source >= 0 && (source & free_bits) > clamp) clamp = source & free_bits;
      }
    }
    candidate found;
    for (int lane = 0; lane < warp_size; ++lane) {
      if (!members_.contains(lane)) continue;
      int operand = 0;
      if (!idle_.contains(lane)) {
        int const source = reachable(mode, segment, lane);
        if (source < 0) return false;
        switch (mode) {
          case shuffle_mode::idx: operand = source & free_bits; break;
          case shuffle_mode::up: operand = lane - source; break;
          case shuffle_mode::down: operand = source - lane; break;
          case shuffle_mode::bfly: operand = lane ^ source; break;
        }
      } else {
        switch (mode) {
          case shuffle_mode::idx:
            operand = free_bits;
            if (clamp >= free_bits) return false;
            break;
          case shuffle_mode::up: operand = (lane & free_bits) + 1; break;
          case shuffle_mode::down: operand = free_bits - (lane & free_bits) + 1; break;
          case shuffle_mode::bfly: operand = lane == 31 ? 32 : lane ^ 31; break;
        }
        if (operand > 31) return false;
      }
      found.operands[lane] = static_cast<std::uint8_t>(operand);
    }
    found.found = true;
    found.price = cost::table_step + guard_price(true);
    found.shuffle = shuffle(mode, operand::table, strict_guard(), 0, 0, segment, clamp);
    best = found;
    return true;
  }

  round round_;
  lane_set members_;
  lane_set idle_;
  int segments_[6]{};
};

struct encoding {
  plan result;
  int price = 0;
};

// The cheapest plan for a scheme: each round takes its cheapest form, the table's set-up shared by all that use it.
constexpr encoding encode(scheme const& s, int width, lane_set members) {
  candidate direct[6]{};
  candidate tabled[6]{};
  int without_table = 0;
  int with_table = cost::table_setup;
  for (int i = 0; i < s.count; ++i) {
    encoder const forms{s.rounds[i], width, members};
    direct[i] = forms.direct();
    if (direct[i].price_or_more() > cost::table_step) tabled[i] = forms.tabled();
    without_table += direct[i].price_or_more();
    with_table += direct[i].price_or_more() < tabled[i].price_or_more() ? direct[i].price : tabled[i].price;
  }
  encoding best;
  best.result.count = s.count;
  best.result.uses_table = with_table < without_table;
  best.price = best.result.uses_table ? with_table : without_table;
  for (int i = 0; i < s.count; ++i) {
    bool const from_table = best.result.uses_table && tabled[i].price_or_more() < direct[i].price_or_more();
    best.result.steps[i] = from_table ? tabled[i].shuffle : direct[i].shuffle;
    if (!from_table) continue;
    for (int lane = 0; lane < warp_size; ++lane) best.result.words[lane] |= static_cast<std::uint32_t>(tabled[i].operands[lane]) << (5 * i);
  }
  return best;
}

}  // namespace muster::plan
