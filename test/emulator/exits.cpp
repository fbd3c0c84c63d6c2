// Lanes that have exited, which are not waited for, and lanes that spin for ever; findings that repeat.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <muster/core/narrowing_kind.hpp>

#include "expect.hpp"
#include "support.hpp"

using namespace emulator_test;
using muster::narrowing_kind;

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

TEST_CASE("a member that exits without having come is a note") {
  for_each_schedule([](emulator::options options) {
    auto const findings = findings_of(options, {32, 1, 1}, [] {
      if (lane() >= 24) return;
      come_to(narrowing_kind::only_rank, full, 111);
      emulator::sync_warp(0x00ffffffu, site::here());
    });
    CAPTURE(texts_of(findings));
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].kind == finding_kind::relies_on_exit);
    CHECK(findings[0].is_note);
    CHECK(findings[0].lanes == muster::lane_set{0xff000000u});
    CHECK_THAT(findings[0].text, ContainsSubstring("only_rank<0>"));
  });
}

TEST_CASE("a narrowing whose acting lane has exited is found: its body runs in nobody") {
  struct leaves {
    narrowing_kind which;
    int width;
    std::uint32_t number, gone, found;
  };
  for (auto const [which, width, number, gone, found] : {leaves{narrowing_kind::only_rank, 32, 3, 1u << 3, 1u << 3}, leaves{narrowing_kind::only_rank, 8, 1, 0xffff0002u, 0x2u},
                                                         leaves{narrowing_kind::invoke_one, 16, 0, 0x000f0000u, 1u << 16}, leaves{narrowing_kind::only, 32, 0xff, 0xfff, 0xff},
                                                         leaves{narrowing_kind::only_otherwise, 32, 0xff, 0x1ff, 0xff}, leaves{narrowing_kind::only_otherwise, 32, 0xff, 0xffffff01u, 0xffffff00u}}) {
    auto const kernel = [=] {
      if ((gone >> lane() & 1u) == 0) come_to(which, full, 111, width, number);
    };
    expect_only(finding_kind::acting_lane_exited, {32, 1, 1}, kernel, [found](finding const& told) { CHECK(told.lanes == muster::lane_set{found}); });
  }
  // Of a tile that has left as a whole nobody misses the leader, and of several that are to act one is left.
  for_each_schedule([](emulator::options options) {
    auto const findings = findings_of(options, {32, 1, 1}, [] {
      if (lane() / 8 != 2 && lane() != 31) come_to(narrowing_kind::only_rank, full, 111, 8);
      if (lane() != 3) come_to(narrowing_kind::only_otherwise, 0x0000ffffu << (lane() & 16), 222, 32, 0xf << (lane() & 16));
    });
    CAPTURE(texts_of(findings));
    for (finding const& each : findings) CHECK(each.is_note);
    CHECK(findings.size() == 2);
  });
}

TEST_CASE("a block barrier that completes because threads exited is a note") {
  for_each_schedule([](emulator::options options) {
    auto const findings = findings_of(options, {64, 1, 1}, [] {
      if (emulator::here().linear >= 40) return;
      emulator::sync_block({"kernel.cu", 111});
      emulator::sync_block({"kernel.cu", 111});
    });
    CAPTURE(texts_of(findings));
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].kind == finding_kind::relies_on_exit);
    CHECK(findings[0].is_note);
    CHECK(findings[0].warp == 1);
    CHECK(findings[0].lanes == muster::lane_set{0xffffff00u});
    CHECK(findings[0].where.line == 111);
    CHECK_THAT(findings[0].text, ContainsSubstring("24 of 64 threads"));
  });
}

TEST_CASE("notes that nobody collects go to stderr, once for each call and run") {
  emulator::options options;
  options.threads = 2;
  auto const kernel = [] {
    if (lane() >= 24) return;
    for (int i = 0; i < 3; ++i) emulator::sync_block({"kernel.cu", 111});
  };
  auto const written = written_to_stderr([&] { CHECK_NOTHROW(run(options, {6, 1, 1}, {32, 1, 1}, kernel)); });
  CHECK_THAT(written, ContainsSubstring("relies_on_exit"));
  CHECK(written.find("kernel.cu:111") == written.rfind("kernel.cu:111"));
  std::vector<finding> findings;
  options.findings = &findings;
  CHECK(written_to_stderr([&] { run(options, {6, 1, 1}, {32, 1, 1}, kernel); }) == "");
  CHECK(findings.size() == 1);
}
