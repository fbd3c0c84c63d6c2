// Plans as constants: what the compiler made is proven once more at run time, because a compiler has been seen to corrupt such constants.
#include <catch2/catch_test_macros.hpp>

#include <cstring>

#include <muster/plan/plan_for.hpp>
#include <muster/plan/table.hpp>

#include "support.hpp"

using namespace test;
using muster::all_lanes;
using muster::plan::flaw;
using muster::plan::flaw_of;
using muster::plan::make_move;
using muster::plan::make_plan;
using muster::plan::move_for;
using muster::plan::plan_for;
using muster::plan::table_word;

namespace {

bool same_step(step const& a, step const& b) {
  return a.mode == b.mode && a.from == b.from && a.use == b.use && a.arg == b.arg && a.keep == b.keep && a.c == b.c && a.replaces == b.replaces &&
         a.takes == b.takes && a.received_is_left == b.received_is_left;
}

bool same(plan const& a, plan const& b) {
  if (a.count != b.count || a.uses_table != b.uses_table) return false;
  for (int i = 0; i < 6; ++i) {
    if (!same_step(a.steps[i], b.steps[i])) return false;
  }
  return std::memcmp(a.words, b.words, sizeof a.words) == 0;
}

// The arguments pass through volatile memory, so that the right side is computed when the test runs.
template <int Width, lane_set Members, kind Kind>
void check_plan() {
  int volatile width = Width;
  std::uint32_t volatile bits = Members.bits;
  kind volatile k = Kind;
  plan const made = make_plan(width, {bits}, k);
  INFO(context(made, Width, Members, Kind));
  CHECK(same(plan_for<Width, Members, Kind>, made));
  CHECK(flaw_of(plan_for<Width, Members, Kind>, width, {bits}, k) == flaw::none);
  for (int lane = 0; lane < 32; ++lane) CHECK(table_word<Width, Members, Kind>(lane) == made.words[lane]);
}

template <int Width, lane_set Members>
void check_kinds() {
  check_plan<Width, Members, kind::all_reduce>();
  check_plan<Width, Members, kind::inclusive_scan>();
  check_plan<Width, Members, kind::exclusive_scan>();
}

template <int Width, lane_set Members, move Move, int N>
void check_move() {
  int volatile width = Width;
  std::uint32_t volatile bits = Members.bits;
  int volatile n = N;
  plan const made = make_move(width, {bits}, Move, n);
  INFO(context(made, Width, Members, Move));
  CHECK(same(move_for<Width, Members, Move, N>, made));
  CHECK(flaw_of(move_for<Width, Members, Move, N>, width, {bits}, Move, n) == flaw::none);
  for (int lane = 0; lane < 32; ++lane) CHECK(table_word<Width, Members, Move, N>(lane) == made.words[lane]);
}

}  // namespace

static_assert(plan_for<8, all_lanes, kind::all_reduce>.count == 3);
static_assert(plan_for<32, lane_set{0x40020219u}, kind::all_reduce>.count == 3, "six scattered lanes");
static_assert(plan_for<1, all_lanes, kind::all_reduce>.count == 0);
static_assert(plan_for<8, all_lanes, kind::all_reduce>.steps[2].arg == 4);

TEST_CASE("constants of full tiles are what the same code makes at run time") {
  check_kinds<32, all_lanes>();
  check_kinds<16, all_lanes>();
  check_kinds<8, all_lanes>();
  check_kinds<4, all_lanes>();
  check_kinds<2, all_lanes>();
  check_kinds<1, all_lanes>();
}

TEST_CASE("constants of partial tiles are what the same code makes at run time") {
  check_kinds<32, lane_set{0x40020219u}>();
  check_kinds<8, lane_set{0x3f3f3f3fu}>();
  check_kinds<32, lane_set{0x000003f8u}>();
  check_kinds<32, lane_set{0x55555555u}>();
  check_kinds<16, lane_set{0x0001fffeu}>();
  check_kinds<32, lane_set{0x80000001u}>();
  check_kinds<8, lane_set{0xff3fff13u}>();
  check_kinds<4, lane_set{0x08421084u}>();
  check_kinds<32, lane_set{0x9e3779b9u}>();
  check_kinds<32, lane_set{0x00010000u}>();
}

TEST_CASE("constants of moves are what the same code makes at run time") {
  check_move<8, all_lanes, move::exchange, 4>();
  check_move<8, all_lanes, move::up, 3>();
  check_move<8, all_lanes, move::down, 1>();
  check_move<32, all_lanes, move::from_rank, 31>();
  check_move<8, lane_set{0x3f3f3f3fu}, move::exchange, 1>();
  check_move<32, lane_set{0x40020219u}, move::from_rank, 5>();
  check_move<32, lane_set{0x40020219u}, move::exchange, 1>();
  check_move<32, lane_set{0x40020219u}, move::up, 2>();
  check_move<32, lane_set{0x40020219u}, move::down, 5>();
}
