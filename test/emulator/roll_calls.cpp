// Narrowings that no vote meets in: who stays away is found, and members that only come at different times are not.
#include <cstdint>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <muster/core/narrowing_kind.hpp>

#include "expect.hpp"
#include "support.hpp"

using namespace emulator_test;
using muster::narrowing_kind;
using muster::roll_answer;

TEST_CASE("members that pass a narrowing by are found at the collective they come to instead") {
  expect_only(
      finding_kind::absent_lanes, {32, 1, 1},
      [] {
        if (lane() > 4) come_to(narrowing_kind::only_rank, full, 111, 8, 3);
        emulator::ballot(full, true, {"kernel.cu", 222});
      },
      [](finding const& found) {
        CHECK(found.lanes == muster::lane_set{0x1fu});
        CHECK(found.membermask == muster::all_lanes);
        CHECK(found.where.line == 111);
        CHECK_THAT(found.text, ContainsSubstring("only_rank<3> in tiles of 8"));
        CHECK_THAT(found.text, ContainsSubstring("kernel.cu:222"));
      });
  CHECK(reports_of_many_runs({32, 1, 1}, [] {
          come_to(narrowing_kind::only_rank, full, 111, 8, 3);
          emulator::ballot(full, true, site::here());
        }) == "");
}

TEST_CASE("members that pass a narrowing by are found at the block's barrier, and told once") {
  expect_only(
      finding_kind::absent_lanes, {64, 1, 1},
      [] {
        if (emulator::here().linear >= 40) come_to(narrowing_kind::each_tile, full, 111, 8);
        emulator::sync_block(site::here());
        emulator::sync_block(site::here());
        emulator::ballot(full, true, site::here());
      },
      [](finding const& found) {
        CHECK(found.warp == 1);
        CHECK(found.lanes == muster::lane_set{0xffu});
        CHECK(found.where.line == 111);
      });
  // A whole warp that does not come is no business of the other's.
  CHECK(reports_of_many_runs({64, 1, 1}, [] {
          if (emulator::here().linear >= 32) come_to(narrowing_kind::each_tile, full, 111, 8);
          emulator::sync_block(site::here());
        }) == "");
}

TEST_CASE("a member that stays away from one of many narrowings is found at the next collective") {
  expect_only(
      finding_kind::absent_lanes, {32, 1, 1},
      [] {
        for (int i = 0; i < 20; ++i) come_to(narrowing_kind::each_tile, full, 111, 8);
        if (lane() != 7) come_to(narrowing_kind::invoke_one, full, 222);
        emulator::sync_warp(muster::tile_lanes<8>(lane()).bits, site::here());
        emulator::sync_block(site::here());
      },
      [](finding const& found) {
        CHECK(found.lanes == muster::lane_set{1u << 7});
        CHECK(found.where.line == 222);
      });
}

TEST_CASE("members at two different narrowings are found when the second comes") {
  expect_only(
      finding_kind::different_operation, {32, 1, 1},
      [] {
        if (lane() < 16) {
          come_to(narrowing_kind::only, full, 111, 32, 0xff);
        } else {
          come_to(narrowing_kind::only, full, 222, 32, 0xffff);
        }
        emulator::sync_block(site::here());
      },
      [](finding const& found) {
        CHECK((found.lanes == muster::lane_set{0xffffu} || found.lanes == muster::lane_set{0xffff0000u}));
        CHECK_THAT(found.text, ContainsSubstring("only<0x000000ff>"));
        CHECK_THAT(found.text, ContainsSubstring("only<0x0000ffff>"));
        CHECK_THAT(found.text, ContainsSubstring("kernel.cu:111"));
        CHECK_THAT(found.text, ContainsSubstring("kernel.cu:222"));
      });
  // One function at two lines is one narrowing.
  CHECK(reports_of_many_runs({32, 1, 1}, [] {
          come_to(narrowing_kind::only, full, lane() < 16 ? 111 : 222, 32, 0xff);
          emulator::sync_block(site::here());
        }) == "");
}

TEST_CASE("a uniform condition that differs within a tile is found, with the lanes of the side that came later") {
  expect_only(
      finding_kind::not_uniform, {32, 1, 1},
      [] {
        come_to(narrowing_kind::branch, full, 111, 16, 0, lane() >= 16 && lane() < 20 ? roll_answer::no : roll_answer::yes);
        emulator::sync_block(site::here());
      },
      [](finding const& found) {
        CHECK((found.lanes == muster::lane_set{0x000f0000u} || found.lanes == muster::lane_set{0xfff00000u}));
        CHECK(found.where.line == 111);
        CHECK_THAT(found.text, ContainsSubstring("branch on a uniform condition in tiles of 16"));
      });
  CHECK(reports_of_many_runs({32, 1, 1}, [] {
          come_to(narrowing_kind::branch, full, 111, 16, 0, lane() < 16 ? roll_answer::no : roll_answer::yes);
          emulator::sync_block(site::here());
        }) == "");
}

TEST_CASE("a narrowing out of scope, of others, or of the block in a scope is found at once") {
  expect_only(
      finding_kind::outside_scope, {32, 1, 1},
      [] {
        emulator::enter_scope(muster::tile_lanes<8>(lane()).bits, site::here());
        come_to(narrowing_kind::each_tile, full, 111);
        emulator::leave_scope();
      },
      [](finding const& found) { CHECK(found.where.line == 111); });
  expect_only(
      finding_kind::caller_not_in_set, {32, 1, 1}, [] { come_to(narrowing_kind::only_rank, 0xffu, 111); },
      [](finding const& found) { CHECK(found.lanes == muster::lane_set{0xffffff00u}); });
  expect_only(
      finding_kind::outside_scope, {32, 1, 1},
      [] {
        emulator::enter_scope(full, site::here());
        emulator::roll_call_of_block(narrowing_kind::only_warp, 2, {"kernel.cu", 111});
        emulator::leave_scope();
      },
      [](finding const& found) { CHECK_THAT(found.text, ContainsSubstring("only_warp<2>")); });
  expect_only(
      finding_kind::outside_scope, {32, 1, 1},
      [] {
        emulator::enter_scope(full, site::here());
        emulator::require_no_scope("this_block", {"kernel.cu", 111});
        emulator::leave_scope();
      },
      [](finding const& found) { CHECK_THAT(found.text, ContainsSubstring("this_block")); });
}

TEST_CASE("lanes may run far ahead through narrowings, and tiles at their own pace") {
  CHECK(reports_of_many_runs({45, 1, 1}, [] {
          std::uint32_t const warp = muster::lane_set::range(0, emulator::lanes_in_warp()).bits;
          std::uint32_t const tile = muster::tile_lanes<8>(lane()).bits & warp;
          for (int i = 0; i < 100; ++i) {
            come_to(narrowing_kind::each_tile, warp, 111, 8);
            emulator::enter_scope(tile, site::here());
            for (int trip = 0; trip < lane() / 8 + i % 3; ++trip) {
              emulator::ballot(tile, true, site::here());
              come_to(narrowing_kind::loop_while, tile, 222, 8, 0, roll_answer::yes);
            }
            come_to(narrowing_kind::loop_while, tile, 222, 8, 0, roll_answer::no);
            emulator::leave_scope();
            come_to(narrowing_kind::only_rank, warp, 333);
          }
          emulator::sync_block(site::here());
        }) == "");
}

TEST_CASE("ten thousand narrowings before the first collective are checked to the last") {
  auto const kernel = [](int skipped) {
    return [skipped] {
      for (int i = 0; i < 10'000; ++i) {
        if (i == skipped && lane() == 3) continue;
        come_to(narrowing_kind::each_tile, full, 111);
        come_to(narrowing_kind::invoke_one, full, 222);
      }
      emulator::sync_warp(full, site::here());
    };
  };
  for (schedule order : all_schedules) {
    emulator::options options;
    options.order = order;
    CHECK(texts_of(findings_of(options, {32, 1, 1}, kernel(-1))) == "");
    auto const findings = findings_of(options, {32, 1, 1}, kernel(9'999));
    CAPTURE(texts_of(findings));
    REQUIRE(has(findings, finding_kind::absent_lanes));
    for (finding const& each : findings) CHECK(each.lanes == muster::lane_set{1u << 3});
    CHECK(findings.size() == 2);
  }
}

TEST_CASE("a roll call of an impossible width is refused") {
  CHECK_THROWS_AS(run({}, {1, 1, 1}, {1, 1, 1}, [] { come_to(narrowing_kind::each_tile, 1, 111, 3); }), emulator::kernel_error);
}
