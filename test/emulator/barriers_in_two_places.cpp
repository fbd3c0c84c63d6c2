// Lanes of one warp that come to a barrier by two calls in the source: on a GPU these are two instructions, each of which waits for the whole warp.
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "expect.hpp"
#include "support.hpp"

using namespace emulator_test;

namespace {

bool is_lower() { return lane() < 16; }
site arm(bool first) { return {"kernel.cu", first ? 111 : 222}; }

void check_both_arms(finding const& found, char const* call) {
  CHECK((found.where.line == 111 || found.where.line == 222));
  CHECK(found.lanes.count() >= 2);
  CHECK_THAT(found.text, ContainsSubstring(call) && ContainsSubstring("of the same warp wait") && ContainsSubstring("in another call, kernel.cu:"));
  CHECK_THAT(found.text, ContainsSubstring("kernel.cu:111") && ContainsSubstring("kernel.cu:222"));
}

template <class Kernel>
std::vector<finding> findings_of_company(emulator::options options, emulator::company together, Kernel&& kernel) {
  std::vector<finding> findings;
  options.findings = &findings;
  auto* called = &kernel;
  emulator::run(options, {2, 1, 1}, {64, 1, 1}, 0, 0, [](void* closure) { (**static_cast<decltype(called)*>(closure))(); }, &called, together);
  return findings;
}

}  // namespace

TEST_CASE("a block barrier that lanes of one warp reach in two places is found, and they go on") {
  expect(
      finding_kind::different_operation, {64, 1, 1},
      [] {
        emulator::sync_block(arm(is_lower()));
        emulator::sync_block(site::here());
      },
      [](finding const& found) { check_both_arms(found, "block barrier"); });
}

TEST_CASE("so is one that a single lane reaches elsewhere, whatever the calls' files") {
  for (site const elsewhere : {site{"kernel.cu", 222}, site{"header.cuh", 111}}) {
    expect_only(finding_kind::different_operation, {32, 1, 1}, [&] { emulator::sync_block(lane() == 5 ? elsewhere : arm(true)); },
                [](finding const& found) { CHECK(found.lanes.contains(5)); });
  }
}

TEST_CASE("so is a block's algorithm, and that of a barrier and an algorithm is found as before") {
  static int const algorithm = 0;
  expect(
      finding_kind::different_operation, {64, 1, 1}, [] { emulator::meet_block({&algorithm}, arm(is_lower())); },
      [](finding const& found) { check_both_arms(found, "block algorithm"); });
  expect(
      finding_kind::different_operation, {64, 1, 1}, [] { is_lower() ? emulator::sync_block(arm(true)) : emulator::meet_block({&algorithm}, arm(false)); },
      [](finding const& found) { CHECK_THAT(found.text, ContainsSubstring("with another operator, type, storage or rank")); });
}

TEST_CASE("so are barriers and algorithms of a cluster, and barriers of a grid") {
  static int const algorithm = 0;
  struct {
    emulator::company together;
    muster::block_company which;
    emulator::block_call call;
    char const* text;
  } const cases[] = {{{{2, 1, 1}, false}, muster::block_company::cluster, {}, "cluster barrier"},
                     {{{2, 1, 1}, false}, muster::block_company::cluster, {&algorithm}, "cluster algorithm"},
                     {{{0, 0, 0}, true}, muster::block_company::grid, {}, "grid barrier"}};
  for (auto const& each : cases) {
    for_each_schedule([&](emulator::options options) {
      auto const in_two = findings_of_company(options, each.together, [&] { emulator::meet_blocks(each.which, each.call, arm(is_lower())); });
      CAPTURE(each.text, texts_of(in_two), static_cast<int>(options.order), options.seed);
      REQUIRE(has(in_two, finding_kind::different_operation));
      for (finding const& found : in_two) {
        CHECK(found.kind == finding_kind::different_operation);
        check_both_arms(found, each.text);
      }
      auto const by_warp = [&] { emulator::meet_blocks(each.which, each.call, arm(emulator::here().linear < 32)); };
      auto const by_block = [&] { emulator::meet_blocks(each.which, each.call, arm(emulator::here().block.x == 0)); };
      CHECK(texts_of(findings_of_company(options, each.together, by_warp)) == "");
      CHECK(texts_of(findings_of_company(options, each.together, by_block)) == "");
    });
  }
}

TEST_CASE("one place is one place, in whatever round and under whatever address its file's name lies") {
  expect_clean({64, 1, 1}, [] {
    static char const names[2][10] = {"kernel.cu", "kernel.cu"};
    for (int round = 0; round < 3; ++round) emulator::sync_block({names[lane() % 2], 111});
    // One trip more for some, which another call of the same place makes up for.
    for (int round = 0; round < (is_lower() ? 1 : 2); ++round) emulator::sync_block({"kernel.cu", 333});
    if (is_lower()) emulator::sync_block({"kernel.cu", 333});
  });
}

TEST_CASE("warps of a block may come to its barrier in different places, and a warp to one after the other") {
  expect_clean({96, 1, 1}, [] {
    emulator::sync_block(arm(emulator::here().linear < 32));
    emulator::sync_block(arm(emulator::here().linear >= 64));
  });
}
