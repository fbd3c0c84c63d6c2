// Narrowings of the block: every thread of a warp comes to them, and warps skip none that others do not.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <muster/core/narrowing_kind.hpp>

#include "expect.hpp"
#include "support.hpp"

using namespace emulator_test;
using muster::narrowing_kind;

TEST_CASE("a narrowing of the block is one of every thread of the warp, a ragged one too") {
  expect_only(
      finding_kind::absent_lanes, {45, 1, 1},
      [] {
        if (emulator::here().linear != 40) emulator::roll_call_of_block(narrowing_kind::for_warps, 0, {"kernel.cu", 111});
        emulator::sync_block(site::here());
      },
      [](finding const& found) {
        CHECK(found.warp == 1);
        CHECK(found.lanes == muster::lane_set{1u << 8});
        CHECK(found.membermask == muster::lane_set::range(0, 13));
      });
  CHECK(reports_of_many_runs({45, 1, 1}, [] {
          emulator::roll_call_of_block(narrowing_kind::for_warps, 0, site::here());
          emulator::sync_block(site::here());
        }) == "");
}

TEST_CASE("whole warps that skip a narrowing of the block, or come to another one, are found") {
  auto const warp = [] { return emulator::here().linear / 32; };
  expect_only(
      finding_kind::absent_lanes, {96, 1, 1},
      [&] {
        if (warp() != 1) emulator::roll_call_of_block(narrowing_kind::only_warp, 0, {"kernel.cu", 111});
        emulator::sync_block(site::here());
      },
      [](finding const& found) {
        CHECK(found.warp == 1);
        CHECK(found.where.line == 111);
        CHECK_THAT(found.text, ContainsSubstring("warp 1 passed it by; warps 0, 2 came to it"));
      });
  expect_only(
      finding_kind::different_operation, {64, 1, 1},
      [&] {
        emulator::roll_call_of_block(narrowing_kind::for_warps, 0, site::here());
        emulator::roll_call_of_block(narrowing_kind::only_warp, static_cast<unsigned>(warp()), {"kernel.cu", 111});
      },
      [](finding const& found) { CHECK(found.where.line == 111); });
  expect_only(
      finding_kind::acting_lane_exited, {64, 1, 1},
      [&] {
        if (warp() == 0) emulator::roll_call_of_block(narrowing_kind::only_warp, 1, {"kernel.cu", 111});
      },
      [](finding const& found) { CHECK(found.warp == 1); });
  expect_only(
      finding_kind::acting_lane_exited, {64, 1, 1}, [&] { emulator::roll_call_of_block(narrowing_kind::only_warp, 2, {"kernel.cu", 111}); },
      [](finding const& found) { CHECK_THAT(found.text, ContainsSubstring("warp 2, which this block never had")); });
  expect_only(
      finding_kind::acting_lane_exited, {64, 1, 1},
      [] {
        if (emulator::here().linear != 40) emulator::roll_call_of_block(narrowing_kind::only_rank, 40, {"kernel.cu", 111});
      },
      [](finding const& found) { CHECK(found.lanes == muster::lane_set{1u << 8}); });
  // Warps that leave instead are not waited for.
  for_each_schedule([&](emulator::options options) {
    auto const findings = findings_of(options, {96, 1, 1}, [&] {
      if (warp() == 2) return;
      for (int i = 0; i < 3; ++i) emulator::roll_call_of_block(narrowing_kind::only_warp, 1, {"kernel.cu", 111});
    });
    CAPTURE(texts_of(findings));
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].is_note);
    CHECK(findings[0].warp == 2);
  });
  CHECK(reports_of_many_runs({77, 1, 1}, [&] {
          for (int i = 0; i < 30; ++i) {
            emulator::roll_call_of_block(narrowing_kind::only_warp, static_cast<unsigned>(i % 3), site::here());
            if (i % 3 == warp()) emulator::yield();
            if (i % 10 == 9) emulator::sync_block(site::here());
          }
        }) == "");
}
