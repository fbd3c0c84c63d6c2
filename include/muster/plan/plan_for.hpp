// The plans themselves: made once per width, member set and kind, and proven where they are made.
#pragma once

#include <muster/core/lane_set.hpp>
#include <muster/plan/encode.hpp>
#include <muster/plan/generate.hpp>
#include <muster/plan/plan.hpp>
#include <muster/plan/proof.hpp>
#include <muster/plan/tiles.hpp>

namespace muster::plan {

// The plan of a kind, on the host, for sets known at run time. Width is 1, 2, 4, 8, 16 or 32.
// ceil(log2 n) shuffles for the n members of the largest tile, one more for the exclusive scan.
constexpr plan make_plan(int width, lane_set members, kind k) {
  encoding best;
  bool first = true;
  auto const consider = [&](scheme const& s) {
    encoding const e = encode(k == kind::exclusive_scan ? made_exclusive(s, width, members) : s, width, members);
    if (first || e.price < best.price) best = e;
    first = false;
  };
  layout const by_rank = packed_by_rank(width, members);
  if (k != kind::all_reduce) {
    consider(shift_scan_scheme(width, members));
    if (best.price <= best.result.count * cost::in_range) return best.result;
  }
  auto const scheme_of = [&](layout const& tree) { return k == kind::all_reduce ? reduce_scheme(tree) : block_scan_scheme(tree); };
  consider(scheme_of(by_rank));
  if (best.price <= best.result.count * cost::in_range) return best.result;
  layout const by_lane = placed_by_lane(width, members);
  if (__builtin_popcount(by_lane.levels) == __builtin_popcount(by_rank.levels)) consider(scheme_of(by_lane));
  return best.result;
}

// The plan of a move: one shuffle. Members whose source does not exist take nothing. If the guard is in_range, what shfl returns to them is
// their own value; a caller who wants something else there selects by the guard.
constexpr plan make_move(int width, lane_set members, move m, int n) {
  return encode(move_scheme(width, members, m, n), width, members).result;
}

// The checkers carry what they check as named arguments, because that is what all compilers print.
template <int Width, std::uint32_t Lanes, kind Kind, flaw Found>
struct plan_is_proven {
  static_assert(Found == flaw::none, "muster::plan: the plan made for these lanes does not hold; this is a defect of muster, please report it");
  static constexpr bool value = true;
};

template <int Width, std::uint32_t Lanes, move Move, int N, flaw Found>
struct move_is_proven {
  static_assert(Found == flaw::none, "muster::plan: the move made for these lanes does not hold; this is a defect of muster, please report it");
  static constexpr bool value = true;
};

template <int Width, std::uint32_t Lanes, move Move, int N, bool Defined>
struct move_names_existing_ranks {
  static_assert(Defined, "muster::plan: the move names a rank that some tile does not have");
  static constexpr bool value = true;
};

template <int Width, std::uint32_t Lanes>
struct plan_has_members {
  static_assert(is_tile_width(Width), "muster::plan: the width of a tile is 1, 2, 4, 8, 16 or 32");
  static_assert(Lanes != 0, "muster::plan: a plan needs members");
  static constexpr bool value = true;
};

template <int Width, lane_set Members, kind Kind>
struct proven_plan {
  static_assert(plan_has_members<Width, Members.bits>::value);
  static constexpr plan value = make_plan(Width, Members, Kind);
  static_assert(plan_is_proven<Width, Members.bits, Kind, flaw_of(value, Width, Members, Kind)>::value);
};

template <int Width, lane_set Members, move Move, int N>
struct proven_move {
  static_assert(plan_has_members<Width, Members.bits>::value);
  static_assert(move_names_existing_ranks<Width, Members.bits, Move, N, is_defined(Width, Members, Move, N)>::value);
  static constexpr plan value = make_move(Width, Members, Move, N);
  static_assert(move_is_proven<Width, Members.bits, Move, N, flaw_of(value, Width, Members, Move, N)>::value);
};

// In device code: members of constant index only, as in plan_for<8, all_lanes, kind::all_reduce>.steps[I].arg.
template <int Width, lane_set Members, kind Kind>
inline constexpr plan plan_for = proven_plan<Width, Members, Kind>::value;

template <int Width, lane_set Members, move Move, int N>
inline constexpr plan move_for = proven_move<Width, Members, Move, N>::value;

}  // namespace muster::plan
