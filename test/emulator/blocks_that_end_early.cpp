// Blocks that end early: kernels that throw, and what becomes of the lanes when a finding or an exception ends a block.
#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <stdexcept>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support.hpp"

using namespace emulator_test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

TEST_CASE("an exception of the kernel names its thread and carries the original") {
  auto const kernel = [] {
    auto const& me = emulator::here();
    if (me.block.x == 2 && me.thread.x == 3 && me.thread.y == 1) throw std::out_of_range("no such row");
    emulator::sync_block(site::here());
  };
  for_each_schedule([&](emulator::options options) {
    try {
      run(options, {4, 1, 1}, {8, 8, 1}, kernel);
      FAIL("nothing was thrown");
    } catch (emulator::kernel_error const& error) {
      CHECK_THAT(error.what(), ContainsSubstring("thread (3,1,0) of block (2,0,0)"));
      CHECK_THAT(error.what(), ContainsSubstring("no such row"));
      CHECK_THROWS_MATCHES(std::rethrow_if_nested(error), std::out_of_range, MessageMatches(ContainsSubstring("no such row")));
    }
  });
  CHECK_THROWS_AS(run({}, {1, 1, 1}, {1, 1, 1}, [] { throw 5; }), emulator::kernel_error);
}

TEST_CASE("a block that is ended unwinds its lanes") {
  struct counted {
    explicit counted(int& alive) : alive_(alive) { ++alive_; }
    ~counted() { --alive_; }
    int& alive_;
  };
  for_each_schedule([](emulator::options options) {
    int alive = 0, most = 0;
    auto const kernel = [&] {
      counted const outer(alive);
      most = std::max(most, alive);
      emulator::sync_warp(full, site::here());
      counted const inner(alive);
      if (lane() < 16) {
        emulator::ballot(full, true, site::here());
      } else {
        emulator::sync_block(site::here());
      }
    };
    CHECK_THROWS_AS(run(options, {1, 1, 1}, {64, 1, 1}, kernel), emulator::emulation_error);
    CHECK(most >= 64);
    CHECK(alive == 0);
    CHECK(has(findings_of(options, {64, 1, 1}, kernel), finding_kind::absent_lanes));
    CHECK(alive == 0);
  });
}

TEST_CASE("a kernel that catches everything, even for ever, cannot keep a block from ending") {
  for_each_schedule([](emulator::options options) {
    auto const findings = findings_of(options, {32, 1, 1}, [] {
      for (;;) {
        try {
          if (lane() < 16) emulator::ballot(full, true, site::here());
          if (lane() >= 16) emulator::sync_block(site::here());
        } catch (...) {
        }
      }
    });
    CHECK(has(findings, finding_kind::absent_lanes));
  });
}

TEST_CASE("operations in destructors of a block that is ended are dropped") {
  struct syncs_at_end {
    ~syncs_at_end() { emulator::sync_warp(1u << lane(), site::here()); }
  };
  for_each_schedule([](emulator::options options) {
    auto const findings = findings_of(options, {32, 1, 1}, [] {
      syncs_at_end const last;
      if (lane() != 3) emulator::ballot(full, true, site::here());
      emulator::sync_block(site::here());
    });
    CHECK(has(findings, finding_kind::absent_lanes));
  });
}

TEST_CASE("each lane has its own exceptions in flight") {
  for_each_schedule([](emulator::options options) {
    std::array<int, 64> caught{};
    std::array<int, 64> unwinding{};
    struct meets_while_unwinding {
      int& count;
      ~meets_while_unwinding() {
        emulator::sync_warp(full, site::here());
        count = std::uncaught_exceptions();
      }
    };
    auto const findings = findings_of(options, {64, 1, 1}, [&] {
      int const me = emulator::here().linear;
      try {
        meets_while_unwinding const probe{unwinding[static_cast<std::size_t>(me)]};
        throw me;
      } catch (int) {
        emulator::sync_warp(full, site::here());
        try {
          throw;
        } catch (int again) {
          emulator::sync_block(site::here());
          caught[static_cast<std::size_t>(me)] = again;
        }
      }
    });
    CHECK(texts_of(findings) == "");
    for (int thread = 0; thread < 64; ++thread) {
      CHECK(caught[static_cast<std::size_t>(thread)] == thread);
      CHECK(unwinding[static_cast<std::size_t>(thread)] == 1);
    }
  });
}

TEST_CASE("collected findings leave the other blocks running; a thrown one is the lowest block's") {
  std::atomic<int> finished{0};
  auto const kernel = [&] {
    unsigned const block = emulator::here().block.x;
    if (block == 4 || block == 9) {
      if (lane() == 0) emulator::ballot(full, true, site::here());
      emulator::sync_block(site::here());
    }
    ++finished;
  };
  for (int threads : {1, 2, 5}) {
    emulator::options options;
    options.threads = threads;
    std::vector<finding> findings;
    options.findings = &findings;
    finished = 0;
    run(options, {12, 1, 1}, {32, 1, 1}, kernel);
    CHECK(finished == 10 * 32);
    REQUIRE(findings.size() == 4);
    CHECK(findings[0].kind == finding_kind::absent_lanes);
    CHECK(findings[0].block.x == 4);
    CHECK(findings[3].block.x == 9);

    options.findings = nullptr;
    try {
      run(options, {12, 1, 1}, {32, 1, 1}, kernel);
      FAIL("nothing was thrown");
    } catch (emulator::emulation_error const& error) {
      CHECK(error.first.block.x == 4);
      CHECK(error.first.kind == finding_kind::absent_lanes);
    }
  }
}

}  // namespace
