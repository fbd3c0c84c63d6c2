// The proof that an encoded plan does what its kind says. It decodes the steps with PTX's rule for shfl and follows, lane by lane, whose
// contributions a value holds. It shares no code with the generator and the encoder. The rule itself, source_of, was compared with an H200 for
// every mode, operand, clamp and segment mask: plans use clamps that CUDA's intrinsics never pass.
#pragma once

#include <muster/core/lane_set.hpp>
#include <muster/core/shuffle_mode.hpp>
#include <muster/plan/plan.hpp>

namespace muster::plan {

enum class flaw : std::uint8_t {
  none,
  malformed,             // a width, step count or operand that no plan has
  not_a_member_source,   // a member reads a lane that takes no part: undefined on the hardware
  guard_disagrees,       // `takes` says something else than the guard
  outside_the_tile,      // a value from another tile enters
  doubled,               // a contribution enters twice
  out_of_order,          // operands are not in rank order
  missing_contribution,  // somebody's contribution does not arrive
  too_many,              // a contribution arrives where it does not belong
  unexpected_fold,       // a step folds where it has to replace, or replaces where it has to fold
};

constexpr char const* name_of(flaw f) {
  switch (f) {
    case flaw::none: return "none";
    case flaw::malformed: return "malformed";
    case flaw::not_a_member_source: return "not_a_member_source";
    case flaw::guard_disagrees: return "guard_disagrees";
    case flaw::outside_the_tile: return "outside_the_tile";
    case flaw::doubled: return "doubled";
    case flaw::out_of_order: return "out_of_order";
    case flaw::missing_contribution: return "missing_contribution";
    case flaw::too_many: return "too_many";
    case flaw::unexpected_fold: return "unexpected_fold";
  }
  return "unknown";
}

// What the operator needs. A commutative one does without order, an idempotent one stands doubled contributions.
struct demand {
  bool ordered = true;
  bool idempotent = false;
};

// Whose contributions a lane's value holds. In ordered mode they stand in lane order, which is rank order.
struct held_value {
  lane_set from;
};

// Runs the steps symbolically from "every member holds its own".
class symbolic_run {
public:
  constexpr symbolic_run(int width, lane_set members, demand d) : width_{width}, members_{members}, demand_{d} {
    for (int lane = 0; lane < warp_size; ++lane) {
      if (members.contains(lane)) held_[lane].from = lane_set::single(lane);
    }
  }

  constexpr lane_set held(int lane) const { return held_[lane].from; }
  constexpr lane_set last_taken() const { return taken_; }
  constexpr lane_set tile(int lane) const { return members_ & lane_set::range(lane / width_ * width_, width_); }

  constexpr flaw step_through(plan const& p, int index) {
    step const& s = p.steps[index];
    held_value before[warp_size]{};
    for (int lane = 0; lane < warp_size; ++lane) before[lane] = held_[lane];
    taken_ = lane_set{};
    for (int lane = 0; lane < warp_size; ++lane) {
      if (!members_.contains(lane)) continue;
      unsigned const b = p.operand_of(index, lane);
      if (b > 31u || (s.c & ~0x1f1fu) != 0) return flaw::malformed;
      shuffle_source const source = source_of(s.mode, lane, b, s.c);
      if (!members_.contains(source.lane)) return flaw::not_a_member_source;
      bool uses = s.takes.contains(lane);
      if (s.use != guard::lane_test) {
        uses = s.use == guard::always || source.in_range;
        if (uses != s.takes.contains(lane)) return flaw::guard_disagrees;
      }
      if (!uses) continue;
      taken_ = taken_ | lane_set::single(lane);
      lane_set const received = before[source.lane].from;
      if (s.replaces) {
        held_[lane].from = received;
        continue;
      }
      flaw const f = fold(lane, received, s.received_is_left.contains(lane));
      if (f != flaw::none) return f;
    }
    return flaw::none;
  }

private:
  constexpr flaw fold(int lane, lane_set received, bool received_is_left) {
    lane_set const own = held_[lane].from;
    if (!received.is_subset_of(tile(lane))) return flaw::outside_the_tile;
    if (!(own & received).empty() && !demand_.idempotent) return flaw::doubled;
    if (demand_.ordered) {
      lane_set const left = received_is_left ? received : own;
      lane_set const right = received_is_left ? own : received;
      if (left.empty() || right.empty() || left.last() >= right.first()) return flaw::out_of_order;
    }
    held_[lane].from = own | received;
    return flaw::none;
  }

  int width_;
  lane_set members_;
  demand demand_;
  held_value held_[warp_size]{};
  lane_set taken_;
};

constexpr bool is_possible(plan const& p, int width) {
  bool const width_is_power = width >= 1 && width <= warp_size && (width & (width - 1)) == 0;
  return width_is_power && p.count >= 0 && p.count <= 6;
}

constexpr flaw compare(lane_set held, lane_set wanted) {
  if (!wanted.is_subset_of(held)) return flaw::missing_contribution;
  return held == wanted ? flaw::none : flaw::too_many;
}

// The first flaw of a plan, or none: the plan computes its kind in every tile, for every operator that demands no more than `d`.
// Only an exclusive scan replaces, in its last step; there the lanes that take nothing hold nothing.
constexpr flaw flaw_of(plan const& p, int width, lane_set members, kind k, demand d = {}) {
  if (!is_possible(p, width) || (k == kind::exclusive_scan && p.count == 0)) return flaw::malformed;
  symbolic_run run{width, members, d};
  for (int i = 0; i < p.count; ++i) {
    bool const has_to_replace = k == kind::exclusive_scan && i == p.count - 1;
    if (p.steps[i].replaces != has_to_replace) return flaw::unexpected_fold;
    flaw const f = run.step_through(p, i);
    if (f != flaw::none) return f;
  }
  for (int lane = 0; lane < warp_size; ++lane) {
    if (!members.contains(lane)) continue;
    lane_set const mine = run.tile(lane);
    lane_set wanted = mine;
    lane_set held = run.held(lane);
    if (k == kind::inclusive_scan) wanted = mine & lane_set::range(0, lane + 1);
    if (k == kind::exclusive_scan) {
      wanted = mine & lane_set::range(0, lane);
      if (!run.last_taken().contains(lane)) held = lane_set{};
    }
    flaw const f = compare(held, wanted);
    if (f != flaw::none) return f;
  }
  return flaw::none;
}

// The same for a move: each member takes exactly what the rank the move names contributed, and nothing where there is no such rank.
constexpr flaw flaw_of(plan const& p, int width, lane_set members, move m, int n) {
  if (!is_possible(p, width) || p.count != 1 || n < 0) return flaw::malformed;
  if (!p.steps[0].replaces) return flaw::unexpected_fold;
  symbolic_run run{width, members, {}};
  flaw const f = run.step_through(p, 0);
  if (f != flaw::none) return f;
  for (int lane = 0; lane < warp_size; ++lane) {
    if (!members.contains(lane)) continue;
    lane_set const mine = run.tile(lane);
    int const rank = mine.rank_of(lane);
    int const asked = m == move::from_rank ? n : m == move::exchange ? rank ^ n : m == move::up ? rank - n : rank + n;
    lane_set wanted;
    for (int other = 0; other < warp_size; ++other) {
      if (mine.contains(other) && mine.rank_of(other) == asked) wanted = lane_set::single(other);
    }
    flaw const difference = compare(run.last_taken().contains(lane) ? run.held(lane) : lane_set{}, wanted);
    if (difference != flaw::none) return difference;
  }
  return flaw::none;
}

}  // namespace muster::plan
