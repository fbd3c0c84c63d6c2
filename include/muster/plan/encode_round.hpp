// From what one round must achieve to the cheapest shuffle that achieves it. Nothing here recognises a pattern: forms are tried in order of cost.
#pragma once

#include <cstdint>

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

// shfl's edge is (lane & segment) + t, where t, the free bits of the clamp, is the same in all lanes. This is the interval of t that serves.
struct clamp_interval {
  int low = 0;
  int high = 31;
};

// All ways for one round. Two strengths: strictly, idle lanes are out of range, so that shfl's own predicate says who takes; else idle
// lanes only have to read a member, and a test of the lane says who takes. Loops run over packed arrays: this code is evaluated in constants.
class encoder {
public:
  constexpr encoder(round const& r, int width, lane_set members)
      : replaces_{r.replaces}, members_{members}, takes_{r.takes}, received_is_left_{r.received_is_left}, idle_{members - r.takes} {
    segments_[0] = -width & 31;
    int next = 1;
    for (int w = warp_size; w >= 1; w /= 2) {
      if (w != width) segments_[next++] = -w & 31;
    }
    lane_set const order[]{r.takes, idle_};
    for (lane_set group : order) {
      for (lane_set rest = group; !rest.empty(); rest.bits &= rest.bits - 1u) {
        int const lane = rest.first();
        lanes_[count_] = lane;
        sources_[count_++] = r.sources[lane].bits;
      }
    }
    takers_ = r.takes.count();
  }

  // The cheapest way without a table, if there is one.
  constexpr candidate direct() const {
    candidate strict;
    candidate tested;
    try_constants(strict, tested);
    if (!strict.found && takers_ > 0) try_keep_xor(strict, tested);
    return strict.found ? strict : tested;
  }

  // The cheapest way with a table; there always is one.
  constexpr candidate tabled() const {
    candidate best;
    for (int segment : segments_) {
      if (try_table(best, shuffle_mode::idx, segment) || try_table(best, shuffle_mode::up, segment) ||
          try_table(best, shuffle_mode::down, segment) || try_table(best, shuffle_mode::bfly, segment)) {
        return best;
      }
    }
    for (int i = 0; i < count_; ++i) {
      best.operands[lanes_[i]] = static_cast<std::uint8_t>(i < takers_ ? lane_set{sources_[i]}.first() : lanes_[i]);
    }
    best.found = true;
    best.price = cost::table_step + cost::lane_test;
    best.shuffle = shuffle(shuffle_mode::idx, operand::table, false, 0, 0, 0, 31);
    return best;
  }

private:
  constexpr step shuffle(shuffle_mode mode, operand from, bool strict, int arg, int keep, int segment, int clamp) const {
    step s;
    s.mode = mode;
    s.from = from;
    s.use = !strict ? guard::lane_test : idle_.empty() ? guard::always : guard::in_range;
    s.arg = static_cast<std::uint8_t>(arg);
    s.keep = static_cast<std::uint8_t>(keep);
    s.c = static_cast<std::uint16_t>(segment << 8 | clamp);
    s.replaces = replaces_;
    s.takes = takes_;
    s.received_is_left = received_is_left_;
    return s;
  }

  constexpr int guard_price(bool strict) const { return !strict ? cost::lane_test : idle_.empty() ? 0 : cost::in_range; }

  // Where a lane reads before shfl compares it with the edge; may lie outside the warp.
  static constexpr int natural_source(shuffle_mode mode, int segment, int arg, int lane) {
    switch (mode) {
      case shuffle_mode::up: return lane - arg;
      case shuffle_mode::down: return lane + arg;
      case shuffle_mode::bfly: return lane ^ arg;
      case shuffle_mode::idx: return (lane & segment) | (arg & ~segment);
    }
    return lane;
  }

  // The clamp nearest to the one CUDA's intrinsics pass (0 for up, all ones else) with which sources serve everybody; -1 if none.
  constexpr int clamp_for(shuffle_mode mode, int segment, int const (&natural)[warp_size], bool strict) const {
    bool const is_up = mode == shuffle_mode::up;
    clamp_interval allowed;
    for (int i = 0; i < count_; ++i) {
      int const source = natural[i];
      int const relative = source - (lanes_[i] & segment);
      if (i < takers_) {
        if (is_up && relative < allowed.high) allowed.high = relative;
        if (!is_up && relative > allowed.low) allowed.low = relative;
        continue;
      }
      std::uint32_t const harmless = strict ? 0u : members_.bits;
      if (source >= 0 && source < warp_size && (harmless >> source & 1u) != 0) continue;
      if (is_up && relative >= allowed.low) allowed.low = relative + 1;
      if (!is_up && relative <= allowed.high) allowed.high = relative - 1;
    }
    if (allowed.low > allowed.high) return -1;
    int const free_bits = ~segment & 31;
    if (is_up) return allowed.low <= free_bits ? allowed.low : -1;
    if (allowed.high >= free_bits && allowed.low <= free_bits) return 31;
    return allowed.high < free_bits ? allowed.high : -1;
  }

  // Records a form whose sources serve the takers, strictly if some clamp allows it, otherwise with a lane test. True if strictly.
  constexpr bool record(candidate& strict, candidate& tested, step const& form, int extra, int const (&natural)[warp_size]) const {
    bool const segment_is_fixed = form.mode == shuffle_mode::idx;
    bool const strengths[]{true, false};
    for (bool strictly : strengths) {
      candidate& best = strictly ? strict : tested;
      if (best.found || (!strictly && idle_.empty())) continue;
      for (int segment : segments_) {
        if (segment_is_fixed && segment != form.c >> 8) continue;
        int const clamp = clamp_for(form.mode, segment, natural, strictly);
        if (clamp < 0) continue;
        best.found = true;
        best.price = extra + guard_price(strictly);
        best.shuffle = shuffle(form.mode, form.from, strictly, form.arg, form.keep, segment, clamp);
        break;
      }
      if (strictly && best.found) return true;
    }
    return false;
  }

  // Tries one constant; idx only with the segment that shapes its sources.
  constexpr bool try_constant(candidate& strict, candidate& tested, shuffle_mode mode, int segment, int arg) const {
    if (arg < 0 || arg > 31) return false;
    int natural[warp_size]{};
    for (int i = 0; i < count_; ++i) {
      natural[i] = natural_source(mode, segment, arg, lanes_[i]);
      if (i < takers_ && (natural[i] < 0 || natural[i] > 31 || (sources_[i] >> natural[i] & 1u) == 0)) return false;
    }
    step form;
    form.mode = mode;
    form.arg = static_cast<std::uint8_t>(arg);
    form.c = static_cast<std::uint16_t>(segment << 8);
    return record(strict, tested, form, 0, natural);
  }

  constexpr void try_constants(candidate& strict, candidate& tested) const {
    if (takers_ == 0) {  // nobody takes: everybody out of range
      try_constant(strict, tested, shuffle_mode::up, 0, 1);
      return;
    }
    // Where not everybody takes, up and down come first: they are what scans and shifts are written with, one form for all rounds.
    shuffle_mode const exchange_first[]{shuffle_mode::bfly, shuffle_mode::up, shuffle_mode::down};
    shuffle_mode const shift_first[]{shuffle_mode::up, shuffle_mode::down, shuffle_mode::bfly};
    int const pivot = lanes_[0];
    for (shuffle_mode mode : idle_.empty() ? exchange_first : shift_first) {
      for (lane_set rest{sources_[0]}; !rest.empty(); rest.bits &= rest.bits - 1u) {
        int const source = rest.first();
        int const arg = mode == shuffle_mode::bfly ? pivot ^ source : mode == shuffle_mode::up ? pivot - source : source - pivot;
        if (try_constant(strict, tested, mode, 0, arg)) return;
      }
    }
    for (int segment : segments_) {
      for (lane_set rest{sources_[0]}; !rest.empty(); rest.bits &= rest.bits - 1u) {
        int const source = rest.first();
        if ((source & segment) != (pivot & segment)) continue;
        if (try_constant(strict, tested, shuffle_mode::idx, segment, source & ~segment)) return;
      }
    }
  }

  // The segment for which (lane & keep) ^ arg is one logic operation: shfl itself keeps the lane's bits in the segment, and what is left is lane & k or ~lane & k.
  // Without such a segment 0, and two operations.
  constexpr int segment_that_keeps(int keep, int arg) const {
    for (int segment : segments_) {
      int const rest = keep & ~segment;
      if ((segment & ~keep) == 0 && (arg & segment) == 0 && (arg == 0 || arg == rest)) return segment;
    }
    return 0;
  }

  // (lane & keep) ^ arg through idx, or the same sources through bfly, whose edge may depend on the lane.
  constexpr void try_keep_xor(candidate& strict, candidate& tested) const {
    for (lane_set rest{sources_[0]}; !rest.empty(); rest.bits &= rest.bits - 1u) {
      int const source = rest.first();
      for (int keep = 1; keep < 31; ++keep) {
        int const arg = (lanes_[0] & keep) ^ source;
        int i = 1;
        while (i < takers_ && (sources_[i] >> ((lanes_[i] & keep) ^ arg) & 1u) != 0) ++i;
        if (i < takers_) continue;
        int natural[warp_size]{};
        for (i = 0; i < count_; ++i) natural[i] = (lanes_[i] & keep) ^ arg;
        step form;
        form.from = operand::keep_xor;
        int const segment = segment_that_keeps(keep, arg);
        form.arg = static_cast<std::uint8_t>(arg);
        form.keep = static_cast<std::uint8_t>(keep & ~segment);
        form.c = static_cast<std::uint16_t>(segment << 8);
        form.mode = shuffle_mode::idx;
        if (record(strict, tested, form, cost::keep_xor, natural)) return;
        form.keep = static_cast<std::uint8_t>(~keep & 31);
        form.c = 0;
        form.mode = shuffle_mode::bfly;
        if (record(strict, tested, form, cost::keep_xor, natural)) return;
      }
    }
  }

  // A source that the mode can reach within its segment: the lowest for idx and bfly, the nearest otherwise; -1 if there is none.
  static constexpr int reachable(shuffle_mode mode, int segment, int lane, std::uint32_t sources) {
    int const base = lane & segment;
    int const top = base | (~segment & 31);
    switch (mode) {
      case shuffle_mode::idx: sources &= lane_set::range(base, top - base + 1).bits; break;
      case shuffle_mode::up: sources &= lane_set::range(base, lane - base + 1).bits; break;
      case shuffle_mode::down: sources &= lane_set::range(lane, top - lane + 1).bits; break;
      case shuffle_mode::bfly: sources &= lane_set::range(0, top + 1).bits; break;  // also below the segment
    }
    if (sources == 0) return -1;
    return mode == shuffle_mode::up ? lane_set{sources}.last() : lane_set{sources}.first();
  }

  // One mode and segment with an operand per lane, strictly.
  constexpr bool try_table(candidate& best, shuffle_mode mode, int segment) const {
    int const free_bits = ~segment & 31;
    bool const clamp_is_lowest = !idle_.empty() && (mode == shuffle_mode::idx || mode == shuffle_mode::bfly);
    int clamp = mode == shuffle_mode::up || clamp_is_lowest ? 0 : 31;
    candidate found;
    for (int i = 0; i < count_; ++i) {
      int const lane = lanes_[i];
      int operand = 0;
      if (i < takers_) {
        int const source = reachable(mode, segment, lane, sources_[i]);
        if (source < 0) return false;
        switch (mode) {
          case shuffle_mode::idx: operand = source & free_bits; break;
          case shuffle_mode::up: operand = lane - source; break;
          case shuffle_mode::down: operand = source - lane; break;
          case shuffle_mode::bfly: operand = lane ^ source; break;
        }
        // The lowest clamp leaves the idle lanes, which follow, something out of range.
        int const relative = source - (lane & segment);
        if (clamp_is_lowest && relative > clamp) clamp = relative;
      } else {
        switch (mode) {
          case shuffle_mode::idx: operand = clamp < free_bits ? free_bits : 32; break;
          case shuffle_mode::up: operand = (lane & free_bits) + 1; break;
          case shuffle_mode::down: operand = free_bits - (lane & free_bits) + 1; break;
          case shuffle_mode::bfly: operand = (lane & segment) + clamp < 31 ? lane ^ 31 : 32; break;
        }
        if (operand > 31) return false;
      }
      found.operands[lane] = static_cast<std::uint8_t>(operand);
    }
    found.found = true;
    found.price = cost::table_step + guard_price(true);
    found.shuffle = shuffle(mode, operand::table, true, 0, 0, segment, clamp);
    best = found;
    return true;
  }

  bool replaces_;
  lane_set members_;
  lane_set takes_;
  lane_set received_is_left_;
  lane_set idle_;
  int segments_[6]{};
  // The members: first those that take, then the idle ones.
  int lanes_[warp_size]{};
  std::uint32_t sources_[warp_size]{};
  int count_ = 0;
  int takers_ = 0;
};

}  // namespace muster::plan
