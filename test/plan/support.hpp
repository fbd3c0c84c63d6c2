// What the plan tests share: sets of lanes, and an executor that knows shfl from the PTX manual alone and folds real values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <muster/core/lane_set.hpp>
#include <muster/plan/describe.hpp>
#include <muster/plan/plan.hpp>

namespace test {

using muster::lane_set;
using muster::shuffle_mode;
using muster::plan::kind;
using muster::plan::move;
using muster::plan::operand;
using muster::plan::plan;
using muster::plan::step;

inline constexpr std::array kinds{kind::all_reduce, kind::inclusive_scan, kind::exclusive_scan};
inline constexpr std::array moves{move::from_rank, move::exchange, move::up, move::down};
inline constexpr std::array widths{1, 2, 4, 8, 16, 32};

inline std::string name_of(kind k) {
  switch (k) {
    case kind::all_reduce: return "all_reduce";
    case kind::inclusive_scan: return "inclusive_scan";
    case kind::exclusive_scan: return "exclusive_scan";
  }
  return "?";
}

inline std::string name_of(move m) {
  switch (m) {
    case move::from_rank: return "from_rank";
    case move::exchange: return "exchange";
    case move::up: return "up";
    case move::down: return "down";
  }
  return "?";
}

template <class Kind>
std::string context(plan const& p, int width, lane_set members, Kind k) {
  return name_of(k) + "\n" + describe(p, width, members);
}

// Never-empty sets: a third dense, a third sparse, a third even.
class random_sets {
public:
  explicit random_sets(std::uint32_t seed) : engine_{seed} {}

  lane_set operator()() {
    std::uint32_t bits = 0;
    while (bits == 0) {
      bits = engine_();
      switch (turn_++ % 3) {
        case 0: bits &= engine_(); break;
        case 1: bits |= engine_(); break;
        default: break;
      }
    }
    return {bits};
  }

  int below(int bound) { return static_cast<int>(engine_() % static_cast<std::uint32_t>(bound)); }

private:
  std::mt19937 engine_;
  unsigned turn_ = 0;
};

// x -> slope * x + offset modulo 2^64. Composition is associative and does not commute: a wrong order or a doubled member shows.
struct affine {
  std::uint64_t slope = 1;
  std::uint64_t offset = 0;

  // First a, then b.
  friend affine operator*(affine a, affine b) { return {a.slope * b.slope, a.offset * b.slope + b.offset}; }
  friend bool operator==(affine, affine) = default;
};

using values = std::array<affine, 32>;

inline values some_values() {
  std::mt19937_64 engine{2024};
  values result;
  for (affine& v : result) v = {engine() | 1u, engine()};
  return result;
}

// The pseudo code of the PTX manual's section on shfl.sync.
struct ptx_result {
  int source;
  bool predicate;
};

inline ptx_result ptx_shfl(shuffle_mode mode, int lane, unsigned b, unsigned c) {
  int const bval = static_cast<int>(b & 0x1fu);
  int const cval = static_cast<int>(c & 0x1fu);
  int const segmask = static_cast<int>((c >> 8) & 0x1fu);
  int const max_lane = (lane & segmask) | (cval & ~segmask);
  int const min_lane = lane & segmask;
  int j = 0;
  bool pval = false;
  if (mode == shuffle_mode::up) {
    j = lane - bval;
    pval = j >= max_lane;
  } else if (mode == shuffle_mode::down) {
    j = lane + bval;
    pval = j <= max_lane;
  } else if (mode == shuffle_mode::bfly) {
    j = lane ^ bval;
    pval = j <= max_lane;
  } else {
    j = min_lane | (bval & ~segmask);
    pval = j <= max_lane;
  }
  return {pval ? j : lane, pval};
}

// Runs a plan the way a kernel would. Nothing comes back if a member reads a lane that takes no part.
// `last_step_clears`: lanes that take nothing in the last step (an exclusive scan's, or a move) hold the identity afterwards.
inline std::optional<values> execute(plan const& p, lane_set members, values held, bool last_step_clears) {
  for (int i = 0; i < p.count; ++i) {
    step const& s = p.steps[i];
    values const before = held;
    for (int lane = 0; lane < 32; ++lane) {
      if (!members.contains(lane)) continue;
      unsigned b = s.arg;
      if (s.from == operand::keep_xor) b = (static_cast<unsigned>(lane) & s.keep) ^ s.arg;
      if (s.from == operand::table) b = (p.words[lane] >> (5 * i)) & 31u;
      ptx_result const got = ptx_shfl(s.mode, lane, b, s.c);
      if (!members.contains(got.source)) return std::nullopt;
      bool takes = true;
      if (s.use == muster::plan::guard::in_range) takes = got.predicate;
      if (s.use == muster::plan::guard::lane_test) takes = s.takes.contains(lane);
      affine const own = before[lane];
      affine const received = before[got.source];
      if (takes) held[lane] = s.replaces ? received : s.received_is_left.contains(lane) ? received * own : own * received;
      if (!takes && last_step_clears && i == p.count - 1) held[lane] = affine{};
    }
  }
  return held;
}

// What each member must hold, member by member in rank order.
inline values expected(int width, lane_set members, kind k, values const& in) {
  values result{};
  for (int base = 0; base < 32; base += width) {
    affine running;
    for (int lane = base; lane < base + width; ++lane) {
      if (!members.contains(lane)) continue;
      if (k == kind::exclusive_scan) result[lane] = running;
      running = running * in[lane];
      if (k == kind::inclusive_scan) result[lane] = running;
    }
    if (k == kind::all_reduce) {
      for (int lane = base; lane < base + width; ++lane) result[lane] = running;
    }
  }
  return result;
}

inline values expected(int width, lane_set members, move m, int n, values const& in) {
  values result{};
  for (int base = 0; base < 32; base += width) {
    std::vector<int> ranks;
    for (int lane = base; lane < base + width; ++lane) {
      if (members.contains(lane)) ranks.push_back(lane);
    }
    int const count = static_cast<int>(ranks.size());
    for (int r = 0; r < count; ++r) {
      int const source = m == move::from_rank ? n : m == move::exchange ? (r ^ n) : m == move::up ? r - n : r + n;
      if (source >= 0 && source < count) result[ranks[r]] = in[ranks[source]];
    }
  }
  return result;
}

inline bool same_in_members(values const& a, values const& b, lane_set members) {
  for (int lane = 0; lane < 32; ++lane) {
    if (members.contains(lane) && !(a[lane] == b[lane])) return false;
  }
  return true;
}

// Whether running the plan gives what its kind promises, by executing it on values that tell every order apart.
inline bool runs_right(plan const& p, int width, lane_set members, kind k) {
  static values const in = some_values();
  auto const out = execute(p, members, in, k == kind::exclusive_scan);
  return out && same_in_members(*out, expected(width, members, k, in), members);
}

inline bool runs_right(plan const& p, int width, lane_set members, move m, int n) {
  static values const in = some_values();
  auto const out = execute(p, members, in, true);
  return out && same_in_members(*out, expected(width, members, m, n, in), members);
}

// ceil(log2 n), counted.
inline int halvings(int n) {
  int result = 0;
  for (int reach = 1; reach < n; reach *= 2) ++result;
  return result;
}

inline int largest_count(int width, lane_set members) {
  int largest = 0;
  for (int base = 0; base < 32; base += width) {
    int count = 0;
    for (int lane = base; lane < base + width; ++lane) count += members.contains(lane) ? 1 : 0;
    largest = count > largest ? count : largest;
  }
  return largest;
}

// The member set of the first k lanes of every tile, and the like.
inline lane_set every_tile(int width, lane_set pattern) {
  lane_set result;
  for (int base = 0; base < 32; base += width) result.bits |= pattern.bits << base;
  return result;
}

}  // namespace test
