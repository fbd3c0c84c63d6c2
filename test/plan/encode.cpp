// The instruction forms that known patterns come out as: full tiles as hand-written code has them, ranges and strided sets without a table.
#include <catch2/catch_test_macros.hpp>

#include <muster/plan/plan_for.hpp>

#include "support.hpp"

using namespace test;
using muster::all_lanes;
using muster::segment_operand;
using muster::plan::guard;
using muster::plan::make_move;
using muster::plan::make_plan;

namespace {

bool is_constant(step const& s, shuffle_mode mode, int arg, guard use) {
  return s.mode == mode && s.from == operand::constant && s.arg == arg && s.use == use;
}

lane_set six_lanes() {
  lane_set result;
  for (int lane : {0, 3, 4, 9, 17, 30}) result.bits |= 1u << lane;
  return result;
}

int lane_tests(plan const& p) {
  int count = 0;
  for (int i = 0; i < p.count; ++i) count += p.steps[i].use == guard::lane_test ? 1 : 0;
  return count;
}

bool all_constant(plan const& p) {
  for (int i = 0; i < p.count; ++i) {
    if (p.steps[i].from != operand::constant || p.steps[i].use == guard::lane_test) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a full tile reduces by the butterfly, with the operands CUDA's intrinsics pass") {
  for (int width : widths) {
    plan const p = make_plan(width, all_lanes, kind::all_reduce);
    INFO(describe(p, width, all_lanes));
    REQUIRE(p.count == halvings(width));
    for (int i = 0; i < p.count; ++i) {
      CHECK(is_constant(p.steps[i], shuffle_mode::bfly, 1 << i, guard::always));
      CHECK(p.steps[i].c == segment_operand(width, 31));
      CHECK(p.steps[i].takes == all_lanes);
      for (int lane = 0; lane < 32; ++lane) CHECK(p.steps[i].received_is_left.contains(lane) == ((lane >> i & 1) != 0));
    }
  }
}

TEST_CASE("a full tile scans by shifts up, guarded by shfl's own predicate") {
  for (int width : widths) {
    plan const inclusive = make_plan(width, all_lanes, kind::inclusive_scan);
    plan const exclusive = make_plan(width, all_lanes, kind::exclusive_scan);
    INFO(describe(exclusive, width, all_lanes));
    REQUIRE(inclusive.count == halvings(width));
    REQUIRE(exclusive.count == halvings(width) + 1);
    for (int i = 0; i < inclusive.count; ++i) {
      lane_set const takes = every_tile(width, lane_set::range(0, width) - lane_set::range(0, 1 << i));
      for (plan const& p : {inclusive, exclusive}) {
        CHECK(is_constant(p.steps[i], shuffle_mode::up, 1 << i, guard::in_range));
        CHECK(p.steps[i].c == segment_operand(width, 0));
        CHECK(p.steps[i].takes == takes);
        CHECK(p.steps[i].received_is_left == takes);
        CHECK_FALSE(p.steps[i].replaces);
      }
    }
    step const& last = exclusive.steps[exclusive.count - 1];
    CHECK(is_constant(last, shuffle_mode::up, 1, guard::in_range));
    CHECK(last.replaces);
    CHECK(last.takes == every_tile(width, lane_set::range(0, width) - lane_set::single(0)));
  }
}

TEST_CASE("every range of lanes scans by constant shifts") {
  for (int first = 0; first < 32; ++first) {
    for (int count = 1; first + count <= 32; ++count) {
      lane_set const members = lane_set::range(first, count);
      for (kind k : {kind::inclusive_scan, kind::exclusive_scan}) {
        plan const p = make_plan(32, members, k);
        if (!all_constant(p)) FAIL(context(p, 32, members, k));
        for (int i = 0; i < p.count; ++i) CHECK(p.steps[i].mode == shuffle_mode::up);
      }
    }
  }
}

TEST_CASE("the first n lanes of a tile reduce without a table and without lane tests") {
  for (int width : widths) {
    for (int count = 1; count <= width; ++count) {
      lane_set const members = every_tile(width, lane_set::range(0, count));
      plan const p = make_plan(width, members, kind::all_reduce);
      INFO(describe(p, width, members));
      CHECK_FALSE(p.uses_table);
      CHECK(lane_tests(p) == 0);
    }
  }
}

TEST_CASE("strided sets reduce by the butterfly and scan by shifts") {
  for (int stride : {2, 4, 8, 16}) {
    for (int offset = 0; offset < stride; ++offset) {
      lane_set members;
      for (int lane = offset; lane < 32; lane += stride) members.bits |= 1u << lane;
      plan const reduce = make_plan(32, members, kind::all_reduce);
      plan const scan = make_plan(32, members, kind::inclusive_scan);
      INFO(describe(reduce, 32, members) << describe(scan, 32, members));
      for (int i = 0; i < reduce.count; ++i) {
        CHECK(is_constant(reduce.steps[i], shuffle_mode::bfly, stride << i, guard::always));
        CHECK(is_constant(scan.steps[i], shuffle_mode::up, stride << i, guard::in_range));
      }
    }
  }
  lane_set thirds;
  for (int lane = 0; lane < 32; lane += 3) thirds.bits |= 1u << lane;
  CHECK(all_constant(make_plan(32, thirds, kind::exclusive_scan)));
}

TEST_CASE("aligned halves, quarters and eighths of the warp reduce by the butterfly") {
  for (int count : {2, 4, 8, 16}) {
    for (int first = 0; first < 32; first += count) {
      plan const p = make_plan(32, lane_set::range(first, count), kind::all_reduce);
      INFO(describe(p, 32, lane_set::range(first, count)));
      REQUIRE(p.count == halvings(count));
      for (int i = 0; i < p.count; ++i) CHECK(is_constant(p.steps[i], shuffle_mode::bfly, 1 << i, guard::always));
    }
  }
}

TEST_CASE("six lanes of eight need no table: a butterfly, a guarded butterfly, one operation on the lane") {
  lane_set const members{0x3f3f3f3fu};
  plan const p = make_plan(8, members, kind::all_reduce);
  INFO(describe(p, 8, members));
  REQUIRE(p.count == 3);
  CHECK(is_constant(p.steps[0], shuffle_mode::bfly, 1, guard::always));
  CHECK(is_constant(p.steps[1], shuffle_mode::bfly, 2, guard::in_range));
  CHECK(p.steps[1].c == segment_operand(8, 5));
  CHECK(p.steps[2].from == operand::keep_xor);
  CHECK(p.steps[2].use == guard::always);
}

TEST_CASE("six scattered lanes reduce in three shuffles") {
  plan const p = make_plan(32, six_lanes(), kind::all_reduce);
  INFO(describe(p, 32, six_lanes()));
  CHECK(p.count == 3);
  CHECK(lane_tests(p) == 0);
  CHECK(make_plan(32, six_lanes(), kind::inclusive_scan).count == 3);
  CHECK(make_plan(32, six_lanes(), kind::exclusive_scan).count == 4);
}

TEST_CASE("lane tests are rare: less than one plan in 500 for one tile needs any") {
  random_sets next{5};
  int with_tests = 0;
  int plans = 0;
  for (int i = 0; i < 3'000; ++i) {
    lane_set const members = next();
    for (kind k : kinds) {
      ++plans;
      with_tests += lane_tests(make_plan(32, members, k)) > 0 ? 1 : 0;
    }
  }
  INFO(with_tests << " of " << plans);
  CHECK(with_tests * 500 < plans);
}

TEST_CASE("moves of full tiles are the intrinsics") {
  for (int width : {2, 4, 8, 16, 32}) {
    for (int n = 1; n < width; ++n) {
      INFO("width " << width << " n " << n);
      CHECK(is_constant(make_move(width, all_lanes, move::exchange, n).steps[0], shuffle_mode::bfly, n, guard::always));
      CHECK(make_move(width, all_lanes, move::exchange, n).steps[0].c == segment_operand(width, 31));
      step const up = make_move(width, all_lanes, move::up, n).steps[0];
      CHECK(is_constant(up, shuffle_mode::up, n, guard::in_range));
      CHECK(up.c == segment_operand(width, 0));
      step const down = make_move(width, all_lanes, move::down, n).steps[0];
      CHECK(is_constant(down, shuffle_mode::down, n, guard::in_range));
      CHECK(down.c == segment_operand(width, 31));
      step const from = make_move(width, all_lanes, move::from_rank, n).steps[0];
      CHECK(is_constant(from, shuffle_mode::idx, n, guard::always));
      CHECK(from.c == segment_operand(width, 31));
    }
  }
}
