// Moves: one shuffle for every set, width and distance, proven and executed.
#include <catch2/catch_test_macros.hpp>

#include <muster/plan/plan_for.hpp>

#include "support.hpp"

using namespace test;
using muster::plan::flaw;
using muster::plan::flaw_of;
using muster::plan::guard;
using muster::plan::is_defined;
using muster::plan::make_move;

namespace {

void check(int width, lane_set members, move m, int n) {
  plan const p = make_move(width, members, m, n);
  flaw const f = flaw_of(p, width, members, m, n);
  if (f != flaw::none) FAIL(name_of(f) << ", n = " << n << ": " << context(p, width, members, m));
  if (p.count != 1 || !p.steps[0].replaces) FAIL("not one replacing step, n = " << n << ": " << context(p, width, members, m));
  if (!runs_right(p, width, members, m, n)) FAIL("wrong values, n = " << n << ": " << context(p, width, members, m));
  if (is_defined(width, members, m, n) && (m == move::exchange || m == move::from_rank) && p.steps[0].use != guard::always) {
    FAIL("everybody takes, no guard is needed, n = " << n << ": " << context(p, width, members, m));
  }
}

}  // namespace

TEST_CASE("every move of random sets is proven and moves what it should") {
  random_sets next{7};
  for (int i = 0; i < 2'000; ++i) {
    lane_set const members = next();
    int const width = widths[static_cast<std::size_t>(i) % widths.size()];
    for (move m : moves) {
      for (int n = 0; n < width; ++n) check(width, members, m, n);
    }
  }
  SUCCEED();
}

TEST_CASE("every move of every set of eight lanes is proven in tiles of eight and of 32") {
  for (std::uint32_t bits = 1; bits < 256; ++bits) {
    for (move m : moves) {
      for (int n = 0; n < 8; ++n) {
        check(8, {bits}, m, n);
        check(8, {bits * 0x01010101u}, m, n);
        check(32, {bits << 11}, m, n);
      }
    }
  }
  SUCCEED();
}

TEST_CASE("the proof tells one move from another") {
  lane_set const members{0x3f3f3f3fu};
  CHECK(flaw_of(make_move(8, members, move::up, 1), 8, members, move::up, 2) == flaw::too_many);  // rank 1 should take nothing
  CHECK(flaw_of(make_move(8, members, move::up, 1), 8, members, move::down, 1) == flaw::missing_contribution);
  CHECK(flaw_of(make_move(8, members, move::exchange, 1), 8, members, move::from_rank, 0) == flaw::missing_contribution);
  CHECK(flaw_of(make_move(8, members, move::up, 1), 8, members, move::up, -1) == flaw::malformed);
  CHECK(flaw_of(make_move(8, members, move::up, 0), 8, members, move::exchange, 0) == flaw::none);
  plan everybody = make_move(8, members, move::up, 1);
  everybody.steps[0].use = guard::always;
  everybody.steps[0].takes = members;
  CHECK(flaw_of(everybody, 8, members, move::up, 1) == flaw::too_many);  // rank 0 would take its own for somebody's
}

TEST_CASE("past the edge of the tile nobody takes, and shfl itself leaves them their own") {
  lane_set const members{0x3e3e3e3eu};
  for (move m : {move::up, move::down}) {
    plan const p = make_move(8, members, m, 2);
    INFO(describe(p, 8, members));
    REQUIRE(p.steps[0].use == guard::in_range);
    values const in = some_values();
    auto const out = execute(p, members, in, false);
    REQUIRE(out.has_value());
    for (int base : {0, 8, 16, 24}) {
      for (int edge : {0, 1}) {
        int const lane = base + (m == move::up ? 1 + edge : 4 + edge);
        CHECK_FALSE(p.steps[0].takes.contains(lane));
        CHECK((*out)[lane] == in[lane]);
      }
    }
  }
}

TEST_CASE("where a rank does not exist a member takes nothing, and is_defined says so") {
  lane_set const members{0x0000ff07u};  // tiles of eight with three and eight members
  CHECK_FALSE(is_defined(8, members, move::from_rank, 5));
  plan const p = make_move(8, members, move::from_rank, 5);
  CHECK(p.steps[0].takes == lane_set::range(8, 8));
}
