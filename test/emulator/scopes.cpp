// What leaves the innermost narrowed scope, and how deep scopes go.
#include <cstdint>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <muster/core/narrowing_kind.hpp>

#include "expect.hpp"
#include "support.hpp"

using namespace emulator_test;
using muster::narrowing_kind;

TEST_CASE("a collective that reaches out of the innermost scope is found") {
  expect(
      finding_kind::outside_scope, {32, 1, 1},
      [] {
        emulator::enter_scope(lane() < 16 ? 0xffffu : 0xffff0000u, site::here());
        emulator::ballot(full, true, site::here());
        emulator::leave_scope();
      },
      [](finding const& found) {
        CHECK(found.lanes == muster::all_lanes);
        CHECK(found.membermask == muster::all_lanes);
      });
  expect_clean({32, 1, 1}, [] {
    std::uint32_t const half = lane() < 16 ? 0xffffu : 0xffff0000u;
    emulator::enter_scope(half, site::here());
    emulator::ballot(half, true, site::here());
    emulator::enter_scope(muster::tile_lanes<4>(lane()).bits, site::here());
    emulator::ballot(muster::tile_lanes<4>(lane()).bits, true, site::here());
    emulator::leave_scope();
    emulator::ballot(half, true, site::here());
    emulator::leave_scope();
    emulator::ballot(full, true, site::here());
    emulator::sync_block(site::here());
  });
}

TEST_CASE("a block barrier in a scope is found") {
  expect(
      finding_kind::outside_scope, {32, 1, 1},
      [] {
        emulator::enter_scope(full, site::here());
        emulator::sync_block(site::here());
        emulator::leave_scope();
      },
      [](finding const& found) { CHECK_THAT(found.text, ContainsSubstring("block barrier")); });
}

TEST_CASE("a scope wider than the one around it, or without its own lane, is found") {
  expect(
      finding_kind::outside_scope, {32, 1, 1},
      [] {
        emulator::enter_scope(muster::tile_lanes<8>(lane()).bits, site::here());
        emulator::enter_scope(full, site::here());
        emulator::leave_scope();
        emulator::leave_scope();
      },
      [](finding const&) {});
  expect(
      finding_kind::caller_not_in_set, {32, 1, 1},
      [] {
        emulator::enter_scope(0x0000ffffu, site::here());
        emulator::leave_scope();
      },
      [](finding const& found) { CHECK(found.lanes == muster::lane_set{0xffff0000u}); });
}

TEST_CASE("scopes nest deeper than the fixed part of their stack") {
  expect_clean({32, 1, 1}, [] {
    for (int depth = 0; depth < 30; ++depth) emulator::enter_scope(depth < 15 ? full : muster::tile_lanes<8>(lane()).bits, site::here());
    for (int depth = 30; depth > 0; --depth) {
      emulator::ballot(depth > 15 ? muster::tile_lanes<8>(lane()).bits : full, true, site::here());
      emulator::leave_scope();
    }
    emulator::sync_block(site::here());
  });
}

TEST_CASE("scopes of the same members are told apart, one after the other and within each other") {
  auto const in_scope = [](auto body) {
    emulator::enter_scope(muster::tile_lanes<8>(lane()).bits, site::here());
    body(muster::tile_lanes<8>(lane()).bits);
    emulator::leave_scope();
  };
  bool (*const chosen[])() = {[] { return lane() % 8 < 4; }, [] { return lane() % 2 == 0; }};
  for (auto const first : chosen) {
    expect_only(
        finding_kind::absent_lanes, {32, 1, 1},
        [&] {
          in_scope([&](std::uint32_t tile) { if (first()) come_to(narrowing_kind::invoke_one, tile, 111); });
          in_scope([&](std::uint32_t tile) { if (!first()) come_to(narrowing_kind::invoke_one, tile, 222); });
          emulator::sync_block(site::here());
        },
        [](finding const&) {});
    expect_only(
        finding_kind::different_operation, {32, 1, 1},
        [&] {
          in_scope([&](std::uint32_t tile) { if (first()) emulator::ballot(tile, true, {"kernel.cu", 111}); });
          in_scope([&](std::uint32_t tile) { if (!first()) emulator::ballot(tile, true, {"kernel.cu", 222}); });
        },
        [](finding const& found) { CHECK_THAT(found.text, ContainsSubstring("in another scope")); });
    expect_only(
        finding_kind::different_operation, {32, 1, 1},
        [&] {
          in_scope([&](std::uint32_t tile) {
            if (first()) emulator::ballot(tile, true, {"kernel.cu", 111});
            in_scope([&](std::uint32_t) { if (!first()) emulator::ballot(tile, true, {"kernel.cu", 222}); });
          });
        },
        [](finding const&) {});
  }
  // Lanes go through many scopes, in scopes, at their own pace.
  CHECK(reports_of_many_runs({45, 1, 1}, [&] {
          std::uint32_t const exists = muster::lane_set::range(0, emulator::lanes_in_warp()).bits, tile = muster::tile_lanes<8>(lane()).bits & exists;
          std::uint32_t const half = muster::tile_lanes<4>(lane()).bits & tile;
          for (int i = 0; i < 700; ++i) {
            emulator::enter_scope(tile, site::here());
            come_to(narrowing_kind::each_tile, tile, 111, 4);
            emulator::enter_scope(half, site::here());
            if (i % 100 == 7) emulator::ballot(half, true, site::here());
            emulator::leave_scope();
            emulator::leave_scope();
          }
          emulator::sync_block(site::here());
        }) == "");
}
