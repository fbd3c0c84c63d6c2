// Each kind of finding: a kernel that provokes it, under every schedule and several seeds, and its clean twin.
#include <algorithm>
#include <array>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support.hpp"

using namespace emulator_test;
using Catch::Matchers::ContainsSubstring;

namespace {

// What every report must say, whatever its kind.
void check_text(finding const& found, emulator::options const& options) {
  CAPTURE(found.text);
  CHECK_THAT(found.text, ContainsSubstring(emulator::name_of(found.kind)));
  CHECK_THAT(found.text, ContainsSubstring("seed=" + std::to_string(options.seed)));
  CHECK_THAT(found.text, ContainsSubstring("schedule="));
  CHECK_THAT(found.text, ContainsSubstring("warp " + std::to_string(found.warp)));
  CHECK_THAT(found.text, ContainsSubstring("block (0,0,0)"));
  if (found.where.line != 0) CHECK_THAT(found.text, ContainsSubstring("findings.cpp:" + std::to_string(found.where.line)));
  std::size_t const map = found.text.find('[');
  REQUIRE(map != std::string::npos);
  REQUIRE(found.text.size() > map + 33);
  CHECK(found.text[map + 33] == ']');
}

template <class Kernel, class Check>
void expect(finding_kind kind, extent block, Kernel kernel, Check check, std::uint64_t most_idle_yields = 1 << 22) {
  for_each_schedule([&](emulator::options options) {
    options.most_idle_yields = most_idle_yields;
    auto const findings = findings_of(options, block, kernel);
    CAPTURE(texts_of(findings), static_cast<int>(options.order), options.seed);
    REQUIRE(has(findings, kind));
    for (finding const& each : findings) check_text(each, options);
    check(first_of(findings, kind));

    // Not collected, it is thrown, and what() is the report.
    options.findings = nullptr;
    if (kind == finding_kind::relies_on_exit) {
      std::string const written = written_to_stderr([&] { CHECK_NOTHROW(run(options, {1, 1, 1}, block, kernel)); });
      CHECK(written == texts_of(findings).substr(0, written.size()));
      CHECK_THAT(written, ContainsSubstring("note: "));
      return;
    }
    try {
      run(options, {1, 1, 1}, block, kernel);
      FAIL("nothing was thrown");
    } catch (emulator::emulation_error const& error) {
      CHECK(error.what() == error.first.text);
      CHECK(has(findings, error.first.kind));
    }
  });
}

template <class Kernel>
void expect_clean(extent block, Kernel kernel) {
  for_each_schedule([&](emulator::options options) { CHECK(texts_of(findings_of(options, block, kernel)) == ""); });
}

}  // namespace

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
          shuffle_idx(full, 1, 0, {"findings.cpp", line = __LINE__});
        } else {
          emulator::sync_block({"findings.cpp", 7777});
        }
      },
      [&](finding const& found) {
        CHECK(found.lanes == muster::lane_set{0xffff0000u});
        CHECK(found.membermask == muster::all_lanes);
        CHECK(found.where.line == line);
        CHECK_THAT(found.text, ContainsSubstring("lanes 16-31: wait at the block barrier, findings.cpp:7777"));
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
          emulator::ballot(full, true, {"findings.cpp", 4444});
        }
      },
      [](finding const& found) {
        CHECK(found.warp == 1);
        CHECK(found.lanes == muster::lane_set{0xffffff00u});
        CHECK_THAT(found.text, ContainsSubstring("40 of 64 threads"));
        CHECK_THAT(found.text, ContainsSubstring("findings.cpp:4444"));
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
          emulator::ballot(full, true, {"findings.cpp", 111});
        } else {
          emulator::any(full, true, {"findings.cpp", 222});
        }
      },
      [](finding const& found) {
        CHECK(found.lanes.count() == 1);
        CHECK_THAT(found.text, ContainsSubstring("vote.sync.ballot"));
        CHECK_THAT(found.text, ContainsSubstring("vote.sync.any"));
        CHECK_THAT(found.text, ContainsSubstring("findings.cpp:111"));
        CHECK_THAT(found.text, ContainsSubstring("findings.cpp:222"));
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
  auto const called = [](unsigned call, int line) { return site{"findings.cpp", line, call}; };
  expect(
      finding_kind::different_operation, {32, 1, 1}, [&] { shuffle_idx(full, 1, 0, lane() < 16 ? called(7, 111) : called(8, 222)); },
      [](finding const& found) {
        CHECK_THAT(found.text, ContainsSubstring("another algorithm, operator, type or policy"));
        CHECK_THAT(found.text, ContainsSubstring("findings.cpp:111"));
        CHECK_THAT(found.text, ContainsSubstring("findings.cpp:222"));
      });
  expect_clean({32, 1, 1}, [&] { shuffle_idx(full, 1, 0, lane() < 16 ? called(7, 111) : called(7, 222)); });
}

TEST_CASE("what threads of a block meet in lies in its shared memory") {
  static int elsewhere[4];
  auto const asks = [](void const* object, std::size_t bytes, std::size_t alignment = 1) {
    emulator::check_in_shared_memory(object, bytes, alignment, {"findings.cpp", 111});
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

TEST_CASE("two lanes that wait for each other with different masks are found when the second arrives") {
  expect(
      finding_kind::different_mask, {32, 1, 1},
      [] {
        if (lane() == 0) emulator::sync_warp(0x3u, {"findings.cpp", 111});
        if (lane() == 1) emulator::sync_warp(0x7u, {"findings.cpp", 222});
        if (lane() == 2) emulator::sync_warp(0x7u, {"findings.cpp", 222});
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

TEST_CASE("spinning without progress ends in a report") {
  int flag = 0;
  expect(
      finding_kind::nobody_can_run, {32, 1, 1},
      [&] {
        if (lane() < 16) {
          emulator::ballot(full, true, site::here());
          flag = 1;
        } else {
          while (flag == 0) emulator::yield();
        }
      },
      [](finding const& found) {
        CHECK(found.lanes == muster::lane_set{0xffff0000u});
        CHECK_THAT(found.text, ContainsSubstring("spin"));
      },
      1 << 12);
  expect_clean({32, 1, 1}, [&flag] {
    if (lane() < 16) {
      emulator::ballot(0xffffu, true, site::here());
      flag = 1;
    } else {
      while (flag == 0) emulator::yield();
    }
  });
}

TEST_CASE("the bound on idle yields leaves a long wait alone that something ends") {
  for_each_schedule([](emulator::options options) {
    int turns = 0;
    CHECK(texts_of(findings_of(options, {64, 1, 1}, [&] {
            while (turns < 10'000) {
              if (emulator::here().linear == 63) ++turns;
              emulator::yield();
            }
          })) == "");
  });
}

TEST_CASE("a mask that names exited lanes is a note, once for each call") {
  for_each_schedule([](emulator::options options) {
    auto const findings = findings_of(options, {32, 1, 1}, [] {
      if (lane() >= 24) return;
      for (int i = 0; i < 5; ++i) emulator::sync_warp(0x00ffffffu, site::here());
      for (int i = 0; i < 5; ++i) emulator::sync_warp(full, site::here());
      emulator::sync_warp(full, site::here());
    });
    // Whether a lane has exited when the others meet depends on the schedule only as long as others can run; all leave before anything else here.
    REQUIRE(findings.size() == 2);
    for (finding const& each : findings) {
      CHECK(each.kind == finding_kind::relies_on_exit);
      CHECK(each.is_note);
      CHECK(each.lanes == muster::lane_set{0xff000000u});
      check_text(each, options);
    }
  });
  expect(
      finding_kind::relies_on_exit, {8, 1, 1}, [] { emulator::ballot(full, true, site::here()); },
      [](finding const& found) { CHECK_THAT(found.text, ContainsSubstring("never existed")); });
}

TEST_CASE("an exited lane completes what the others wait for") {
  for_each_schedule([](emulator::options options) {
    std::array<std::uint32_t, 64> results{};
    auto const findings = findings_of(options, {64, 1, 1}, [&] {
      if (emulator::here().linear % 2 == 1) return;
      results[static_cast<std::size_t>(emulator::here().linear)] = emulator::ballot(full, true, site::here());
      emulator::sync_block(site::here());
    });
    CHECK(std::all_of(findings.begin(), findings.end(), [](finding const& each) { return each.is_note; }));
    for (std::size_t thread = 0; thread < 64; thread += 2) CHECK(results[thread] == 0x55555555u);
  });
}

TEST_CASE("a loop that repeats a mistake is one finding that counts") {
  emulator::options options;
  auto const findings = findings_of(options, {32, 1, 1}, [] {
    for (int i = 0; i < 10; ++i) emulator::check_rank(99, 8, site::here());
  });
  REQUIRE(findings.size() == 1);
  CHECK_THAT(findings[0].text, ContainsSubstring("319 more times"));
}
