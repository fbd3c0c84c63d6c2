// Values that nobody holds or that are not what they are stated to be: read from lanes that are not there, of ranks beyond the tile, not
// uniform, in a storage elsewhere, and held values that have expired.
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "expect.hpp"
#include "support.hpp"

using namespace emulator_test;

TEST_CASE("reading a lane that has exited delivers poison") {
  std::array<std::uint32_t, 32> results{};
  expect(
      finding_kind::reads_exited_lane, {32, 1, 1},
      [&] {
        if (lane() >= 16) return;
        results[static_cast<std::size_t>(lane())] = shuffle_idx(full, 5, lane() + 16, site::here());
      },
      [&](finding const& found) {
        CHECK(found.lanes == muster::lane_set{0xffffu});
        CHECK_THAT(found.text, ContainsSubstring("16-31"));
        for (std::size_t lane = 0; lane < 16; ++lane) {
          CHECK(results[lane] != 0);
          CHECK(results[lane] != 5);
        }
      });
  expect_clean({32, 1, 1}, [] {
    if (lane() < 16) shuffle_idx(0xffffu, 5, 15 - lane());
  });
}

TEST_CASE("reading a lane that the block never had is found in its last warp only") {
  expect(
      finding_kind::reads_exited_lane, {33, 1, 1},
      [] {
        std::uint32_t value = 1, other;
        emulator::shuffle(muster::shuffle_mode::down, full, &value, &other, sizeof value, 16, 31, site::here());
      },
      [](finding const& found) {
        CHECK(found.warp == 1);
        CHECK(found.lanes == muster::lane_set{1});
        CHECK_THAT(found.text, ContainsSubstring("never had"));
      });
}

TEST_CASE("reading a lane outside the mask delivers poison, of large values too") {
  struct large {
    std::uint64_t word[4];
  };
  std::array<std::uint32_t, 32> small_results{};
  std::array<large, 32> large_results{};
  expect(
      finding_kind::reads_non_member, {32, 1, 1},
      [&] {
        if (lane() >= 8) return;
        small_results[static_cast<std::size_t>(lane())] = shuffle_idx(0xffu, 5, lane() == 3 ? 20 : lane(), site::here());
        large const mine{{9, 9, 9, 9}};
        emulator::shuffle(muster::shuffle_mode::idx, 0xffu, &mine, &large_results[static_cast<std::size_t>(lane())], sizeof mine, lane() == 3 ? 20u : 0u,
                          31, site::here());
      },
      [&](finding const& found) {
        CHECK(found.lanes == muster::lane_set{1u << 3});
        CHECK(found.membermask == muster::lane_set{0xffu});
        CHECK(small_results[3] != 0);
        CHECK(small_results[3] != 5);
        CHECK(small_results[2] == 5);
        CHECK(large_results[3].word[1] != 9);
        CHECK(large_results[2].word[1] == 9);
      });
}

TEST_CASE("a rank at or beyond the number of members is found") {
  std::array<bool, 32> answers{};
  expect(
      finding_kind::rank_out_of_range, {32, 1, 1},
      [&] { answers[static_cast<std::size_t>(lane())] = emulator::check_rank(lane() - 1, 8, site::here()); },
      [&](finding const& found) {
        CHECK(found.lanes == muster::lane_set{~0x1feu});
        for (std::size_t lane = 0; lane < 32; ++lane) CHECK(answers[lane] == (lane >= 1 && lane <= 8));
      });
  expect_clean({32, 1, 1}, [] { emulator::check_rank(lane() % 8, 8, site::here()); });
}

TEST_CASE("a value stated to be uniform is compared within each tile") {
  expect(
      finding_kind::not_uniform, {32, 1, 1},
      [] {
        int const value = lane() / 8 * 10 + (lane() == 13);
        emulator::check_uniform(full, 8, &value, sizeof value, site::here());
      },
      [](finding const& found) { CHECK(found.lanes == muster::lane_set{1u << 13}); });
  expect_clean({32, 1, 1}, [] {
    int const value = lane() / 8;
    emulator::check_uniform(full, 8, &value, sizeof value, site::here());
    std::array<int, 6> const larger{lane() / 16};
    emulator::check_uniform(full, 16, larger.data(), sizeof larger, site::here());
  });
}

TEST_CASE("what threads of a block meet in lies in its shared memory") {
  static int elsewhere[4];
  auto const asks = [](void const* object, std::size_t bytes, std::size_t alignment = 1) {
    emulator::check_in_shared_memory(object, bytes, alignment, {"kernel.cu", 111});
  };
  auto const begin = [] { return static_cast<unsigned char*>(emulator::shared_memory()); };
  auto const told = [](finding const& found) { CHECK(found.where.line == 111); };
  // `run` of the tests gives no shared memory unless asked.
  expect(finding_kind::storage_not_shared, {32, 1, 1}, [&] { asks(elsewhere, sizeof elsewhere); }, told);
  expect(finding_kind::storage_not_shared, {32, 1, 1}, [&] { int local = 0; asks(&local, sizeof local); }, told);
  expect(finding_kind::storage_not_shared, {32, 1, 1}, [&] { asks(nullptr, 4); }, told);
  expect(finding_kind::storage_not_shared, {32, 1, 1}, [&] { asks(begin(), 1); }, told);
  auto const findings_of_size = [&](std::ptrdiff_t offset, std::size_t bytes, std::size_t alignment = 1) {
    std::vector<finding> findings;
    emulator::options options;
    options.findings = &findings;
    run(options, {2, 1, 1}, {32, 1, 1}, [&] { asks(begin() + offset, bytes, alignment); }, 64);
    return findings.size();
  };
  CHECK(findings_of_size(0, 64) == 0);
  CHECK(findings_of_size(60, 4) == 0);
  CHECK(findings_of_size(61, 4) != 0);
  CHECK(findings_of_size(-1, 4) != 0);
  CHECK(findings_of_size(48, 16, 16) == 0);
  CHECK(findings_of_size(40, 16, 16) != 0);
}

TEST_CASE("what is marked at its birth is refused to others, elsewhere, and later") {
  std::array<emulator::birth_mark, 32> marks;
  auto const use = [&](finding_kind kind, char const* words, auto kernel) {
    expect_only(kind, {32, 1, 1}, kernel, [words](finding const& found) {
      CHECK(found.where.line == 111);
      CHECK(found.lanes == muster::all_lanes);
      CHECK_THAT(found.text, ContainsSubstring(words));
    });
  };
  use(finding_kind::held_value_expired, "left the scope", [] {
    emulator::enter_scope(full, site::here());
    auto const mark = emulator::mark_birth(full);
    emulator::leave_scope();
    emulator::enter_scope(full, site::here());
    emulator::check_birth(mark, full, {"kernel.cu", 111});
    emulator::leave_scope();
  });
  use(finding_kind::held_value_expired, "0x0000ffff", [] {
    emulator::check_birth(emulator::mark_birth(0xffffu), full, {"kernel.cu", 111});
  });
  use(finding_kind::held_value_expired, "thread ", [&] {
    marks[static_cast<std::size_t>(lane())] = emulator::mark_birth(full);
    emulator::sync_warp(full, site::here());
    emulator::check_birth(marks[static_cast<std::size_t>(lane() ^ 1)], full, {"kernel.cu", 111});
  });
  // The marks of the run before.
  use(finding_kind::held_value_expired, "another block", [&] { emulator::check_birth(marks[static_cast<std::size_t>(lane())], full, {"kernel.cu", 111}); });

  CHECK(reports_of_many_runs({32, 1, 1}, [] {
          auto const outer = emulator::mark_birth(full);
          for (int depth = 0; depth < 20; ++depth) emulator::enter_scope(full, site::here());
          auto const inner = emulator::mark_birth(full);
          emulator::check_birth(inner, full, site::here());
          for (int depth = 0; depth < 19; ++depth) {
            emulator::enter_scope(full, site::here());
            emulator::check_birth(outer, full, site::here());
            emulator::check_birth(inner, full, site::here());
            emulator::leave_scope();
          }
          for (int depth = 0; depth < 20; ++depth) emulator::leave_scope();
          emulator::check_birth(outer, full, site::here());
        }) == "");
}
