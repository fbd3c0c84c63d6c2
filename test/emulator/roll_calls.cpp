// Narrowings that no vote meets in: who stays away is found, and members that only come at different times are not.
#include <array>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support.hpp"

using namespace emulator_test;
using Catch::Matchers::ContainsSubstring;
using muster::narrowing_kind;
using muster::roll_answer;

namespace {

void come_to(narrowing_kind which, std::uint32_t mask, int line, int width = 32, std::uint32_t number = 0, roll_answer said = roll_answer::here) {
  emulator::roll_call(which, mask, width, number, said, {"roll_calls.cpp", line});
}

// Every run has the finding, and nothing else that is no note.
template <class Kernel, class Check>
void expect_only(finding_kind kind, extent block, Kernel kernel, Check check) {
  for_each_schedule([&](emulator::options options) {
    auto const findings = findings_of(options, block, kernel);
    CAPTURE(texts_of(findings), static_cast<int>(options.order), options.seed);
    REQUIRE(has(findings, kind));
    for (finding const& each : findings) {
      CHECK((each.is_note || each.kind == kind));
      CHECK_THAT(each.text, ContainsSubstring("seed=" + std::to_string(options.seed)));
    }
    check(first_of(findings, kind));

    options.findings = nullptr;
    CHECK_THROWS_AS(run(options, {1, 1, 1}, block, kernel), emulator::emulation_error);
  });
}

}  // namespace

TEST_CASE("members that pass a narrowing by are found at the collective they come to instead") {
  expect_only(
      finding_kind::absent_lanes, {32, 1, 1},
      [] {
        if (lane() > 4) come_to(narrowing_kind::only_rank, full, 111, 8, 3);
        emulator::ballot(full, true, {"roll_calls.cpp", 222});
      },
      [](finding const& found) {
        CHECK(found.lanes == muster::lane_set{0x1fu});
        CHECK(found.membermask == muster::all_lanes);
        CHECK(found.where.line == 111);
        CHECK_THAT(found.text, ContainsSubstring("only_rank<3> in tiles of 8"));
        CHECK_THAT(found.text, ContainsSubstring("roll_calls.cpp:222"));
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
        CHECK_THAT(found.text, ContainsSubstring("roll_calls.cpp:111"));
        CHECK_THAT(found.text, ContainsSubstring("roll_calls.cpp:222"));
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
        emulator::roll_call_of_block(narrowing_kind::only_warp, 2, {"roll_calls.cpp", 111});
        emulator::leave_scope();
      },
      [](finding const& found) { CHECK_THAT(found.text, ContainsSubstring("only_warp<2>")); });
  expect_only(
      finding_kind::outside_scope, {32, 1, 1},
      [] {
        emulator::enter_scope(full, site::here());
        emulator::require_no_scope("this_block", {"roll_calls.cpp", 111});
        emulator::leave_scope();
      },
      [](finding const& found) { CHECK_THAT(found.text, ContainsSubstring("this_block")); });
}

TEST_CASE("a narrowing of the block is one of every thread of the warp, a ragged one too") {
  expect_only(
      finding_kind::absent_lanes, {45, 1, 1},
      [] {
        if (emulator::here().linear != 40) emulator::roll_call_of_block(narrowing_kind::for_warps, 0, {"roll_calls.cpp", 111});
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
          in_scope([&](std::uint32_t tile) { if (first()) emulator::ballot(tile, true, {"roll_calls.cpp", 111}); });
          in_scope([&](std::uint32_t tile) { if (!first()) emulator::ballot(tile, true, {"roll_calls.cpp", 222}); });
        },
        [](finding const& found) { CHECK_THAT(found.text, ContainsSubstring("in another scope")); });
    expect_only(
        finding_kind::different_operation, {32, 1, 1},
        [&] {
          in_scope([&](std::uint32_t tile) {
            if (first()) emulator::ballot(tile, true, {"roll_calls.cpp", 111});
            in_scope([&](std::uint32_t) { if (!first()) emulator::ballot(tile, true, {"roll_calls.cpp", 222}); });
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

TEST_CASE("whole warps that skip a narrowing of the block, or come to another one, are found") {
  auto const warp = [] { return emulator::here().linear / 32; };
  expect_only(
      finding_kind::absent_lanes, {96, 1, 1},
      [&] {
        if (warp() != 1) emulator::roll_call_of_block(narrowing_kind::only_warp, 0, {"roll_calls.cpp", 111});
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
        emulator::roll_call_of_block(narrowing_kind::only_warp, static_cast<unsigned>(warp()), {"roll_calls.cpp", 111});
      },
      [](finding const& found) { CHECK(found.where.line == 111); });
  expect_only(
      finding_kind::acting_lane_exited, {64, 1, 1},
      [&] {
        if (warp() == 0) emulator::roll_call_of_block(narrowing_kind::only_warp, 1, {"roll_calls.cpp", 111});
      },
      [](finding const& found) { CHECK(found.warp == 1); });
  expect_only(
      finding_kind::acting_lane_exited, {64, 1, 1}, [&] { emulator::roll_call_of_block(narrowing_kind::only_warp, 2, {"roll_calls.cpp", 111}); },
      [](finding const& found) { CHECK_THAT(found.text, ContainsSubstring("warp 2, which this block never had")); });
  expect_only(
      finding_kind::acting_lane_exited, {64, 1, 1},
      [] {
        if (emulator::here().linear != 40) emulator::roll_call_of_block(narrowing_kind::only_rank, 40, {"roll_calls.cpp", 111});
      },
      [](finding const& found) { CHECK(found.lanes == muster::lane_set{1u << 8}); });
  // Warps that leave instead are not waited for.
  for_each_schedule([&](emulator::options options) {
    auto const findings = findings_of(options, {96, 1, 1}, [&] {
      if (warp() == 2) return;
      for (int i = 0; i < 3; ++i) emulator::roll_call_of_block(narrowing_kind::only_warp, 1, {"roll_calls.cpp", 111});
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

TEST_CASE("a block barrier that completes because threads exited is a note") {
  for_each_schedule([](emulator::options options) {
    auto const findings = findings_of(options, {64, 1, 1}, [] {
      if (emulator::here().linear >= 40) return;
      emulator::sync_block({"roll_calls.cpp", 111});
      emulator::sync_block({"roll_calls.cpp", 111});
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
    for (int i = 0; i < 3; ++i) emulator::sync_block({"roll_calls.cpp", 111});
  };
  auto const written = written_to_stderr([&] { CHECK_NOTHROW(run(options, {6, 1, 1}, {32, 1, 1}, kernel)); });
  CHECK_THAT(written, ContainsSubstring("relies_on_exit"));
  CHECK(written.find("roll_calls.cpp:111") == written.rfind("roll_calls.cpp:111"));
  std::vector<finding> findings;
  options.findings = &findings;
  CHECK(written_to_stderr([&] { run(options, {6, 1, 1}, {32, 1, 1}, kernel); }) == "");
  CHECK(findings.size() == 1);
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
    emulator::check_birth(mark, full, {"roll_calls.cpp", 111});
    emulator::leave_scope();
  });
  use(finding_kind::held_value_expired, "0x0000ffff", [] {
    emulator::check_birth(emulator::mark_birth(0xffffu), full, {"roll_calls.cpp", 111});
  });
  use(finding_kind::held_value_expired, "thread ", [&] {
    marks[static_cast<std::size_t>(lane())] = emulator::mark_birth(full);
    emulator::sync_warp(full, site::here());
    emulator::check_birth(marks[static_cast<std::size_t>(lane() ^ 1)], full, {"roll_calls.cpp", 111});
  });
  // The marks of the run before.
  use(finding_kind::held_value_expired, "another block", [&] { emulator::check_birth(marks[static_cast<std::size_t>(lane())], full, {"roll_calls.cpp", 111}); });

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

TEST_CASE("a roll call of an impossible width is refused") {
  CHECK_THROWS_AS(run({}, {1, 1, 1}, {1, 1, 1}, [] { come_to(narrowing_kind::each_tile, 1, 111, 3); }), emulator::kernel_error);
}
