// Lanes that are named and elsewhere: outside their own mask, at another barrier, operation, algorithm or mask, or in a circle.
#include <array>
#include <cstddef>
#include <cstdint>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "expect.hpp"
#include "support.hpp"

using namespace emulator_test;

TEST_CASE("a lane outside its own mask is found at once, and the members go on") {
  std::array<std::uint32_t, 32> results{};
  auto const kernel = [&] { results[static_cast<std::size_t>(lane())] = emulator::ballot(0x00ffffffu, true, site::here()); };
  expect(finding_kind::caller_not_in_set, {32, 1, 1}, kernel, [&](finding const& found) {
    CHECK(found.lanes == muster::lane_set{0xff000000u});
    CHECK(found.membermask == muster::lane_set{0x00ffffffu});
    CHECK_THAT(found.text, ContainsSubstring("24-31"));
    for (std::size_t lane = 0; lane < 24; ++lane) CHECK(results[lane] == 0x00ffffffu);
    for (std::size_t lane = 24; lane < 32; ++lane) CHECK(results[lane] != 0);
  });
  expect_clean({32, 1, 1}, [] {
    if (lane() < 24) emulator::ballot(0x00ffffffu, true, site::here());
  });
}

TEST_CASE("lanes that wait at the block barrier are absent from a collective") {
  int line = 0;
  expect(
      finding_kind::absent_lanes, {32, 1, 1},
      [&] {
        if (lane() < 16) {
          shuffle_idx(full, 1, 0, {"kernel.cu", line = __LINE__});
        } else {
          emulator::sync_block({"kernel.cu", 7777});
        }
      },
      [&](finding const& found) {
        CHECK(found.lanes == muster::lane_set{0xffff0000u});
        CHECK(found.membermask == muster::all_lanes);
        CHECK(found.where.line == line);
        CHECK_THAT(found.text, ContainsSubstring("lanes 16-31: wait at the block barrier, kernel.cu:7777"));
        CHECK_THAT(found.text, ContainsSubstring("[XXXXXXXXXXXXXXXX................]"));
      });
  expect_clean({32, 1, 1}, [] {
    if (lane() < 16) shuffle_idx(0xffffu, 1, 0);
    emulator::sync_block(site::here());
  });
}

TEST_CASE("the barrier's report names both sides") {
  expect(
      finding_kind::barrier_divergence, {64, 1, 1},
      [] {
        if (emulator::here().linear < 40) {
          emulator::sync_block(site::here());
        } else {
          emulator::ballot(full, true, {"kernel.cu", 4444});
        }
      },
      [](finding const& found) {
        CHECK(found.warp == 1);
        CHECK(found.lanes == muster::lane_set{0xffffff00u});
        CHECK_THAT(found.text, ContainsSubstring("40 of 64 threads"));
        CHECK_THAT(found.text, ContainsSubstring("kernel.cu:4444"));
      });
  expect_clean({64, 1, 1}, [] {
    if (emulator::here().linear >= 40) emulator::ballot(0xffffff00u, true, site::here());
    emulator::sync_block(site::here());
  });
}

TEST_CASE("one mask with two operations is found when the second arrives") {
  expect(
      finding_kind::different_operation, {32, 1, 1},
      [] {
        if (lane() < 5) {
          emulator::ballot(full, true, {"kernel.cu", 111});
        } else {
          emulator::any(full, true, {"kernel.cu", 222});
        }
      },
      [](finding const& found) {
        CHECK(found.lanes.count() == 1);
        CHECK_THAT(found.text, ContainsSubstring("vote.sync.ballot"));
        CHECK_THAT(found.text, ContainsSubstring("vote.sync.any"));
        CHECK_THAT(found.text, ContainsSubstring("kernel.cu:111"));
        CHECK_THAT(found.text, ContainsSubstring("kernel.cu:222"));
      });
  expect_clean({32, 1, 1}, [] {
    if (lane() < 5) {
      emulator::ballot(0x1fu, true, site::here());
    } else {
      emulator::any(~0x1fu, true, site::here());
    }
  });
}

TEST_CASE("shuffles of different mode or size are different operations") {
  expect(
      finding_kind::different_operation, {32, 1, 1},
      [] {
        std::uint64_t value = 1, other;
        emulator::shuffle(muster::shuffle_mode::bfly, full, &value, &other, lane() % 2 == 0 ? 4 : 8, 1, 31, site::here());
      },
      [](finding const&) {});
  expect(
      finding_kind::different_operation, {32, 1, 1},
      [] {
        int value = 1, other;
        emulator::shuffle(lane() == 9 ? muster::shuffle_mode::up : muster::shuffle_mode::down, full, &value, &other, 4, 0, lane() == 9 ? 0 : 31,
                          site::here());
      },
      [](finding const&) {});
}

TEST_CASE("two algorithms whose instructions are alike do not meet") {
  auto const called = [](unsigned call, int line) { return site{"kernel.cu", line, call}; };
  expect(
      finding_kind::different_operation, {32, 1, 1}, [&] { shuffle_idx(full, 1, 0, lane() < 16 ? called(7, 111) : called(8, 222)); },
      [](finding const& found) {
        CHECK_THAT(found.text, ContainsSubstring("another algorithm, operator, type or policy"));
        CHECK_THAT(found.text, ContainsSubstring("kernel.cu:111"));
        CHECK_THAT(found.text, ContainsSubstring("kernel.cu:222"));
      });
  expect_clean({32, 1, 1}, [&] { shuffle_idx(full, 1, 0, lane() < 16 ? called(7, 111) : called(7, 222)); });
}

TEST_CASE("two lanes that wait for each other with different masks are found when the second arrives") {
  expect(
      finding_kind::different_mask, {32, 1, 1},
      [] {
        if (lane() == 0) emulator::sync_warp(0x3u, {"kernel.cu", 111});
        if (lane() == 1) emulator::sync_warp(0x7u, {"kernel.cu", 222});
        if (lane() == 2) emulator::sync_warp(0x7u, {"kernel.cu", 222});
      },
      [](finding const& found) {
        CHECK(found.lanes.contains(0));
        CHECK(found.lanes.contains(1));
        CHECK_THAT(found.text, ContainsSubstring("0x00000003"));
        CHECK_THAT(found.text, ContainsSubstring("0x00000007"));
      });
  expect_clean({32, 1, 1}, [] {
    if (lane() < 2) emulator::sync_warp(0x3u, site::here());
    if (lane() < 3) emulator::sync_warp(0x7u, site::here());
  });
}

TEST_CASE("a circle of three masks is found when nobody can run") {
  expect(
      finding_kind::different_mask, {32, 1, 1},
      [] {
        if (lane() == 0) emulator::sync_warp(0x3u, site::here());
        if (lane() == 1) emulator::sync_warp(0x6u, site::here());
        if (lane() == 2) emulator::sync_warp(0x5u, site::here());
      },
      [](finding const& found) { CHECK(found.lanes == muster::lane_set{0x7u}); });
  // Overlapping sets in an order that all agree on are no circle.
  expect_clean({32, 1, 1}, [] {
    if (lane() == 0 || lane() == 1) emulator::sync_warp(0x3u, site::here());
    if (lane() == 1 || lane() == 2) emulator::sync_warp(0x6u, site::here());
    if (lane() == 2 || lane() == 0) emulator::sync_warp(0x5u, site::here());
  });
}
