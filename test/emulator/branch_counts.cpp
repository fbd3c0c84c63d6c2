// Rounds and lanes by the place of a narrowing call: the same under every schedule, from blocks on several OS threads.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support.hpp"

using namespace emulator_test;
using Catch::Matchers::ContainsSubstring;

namespace {

void in_scope(std::uint32_t members, int line) {
  emulator::enter_scope(members, {"branch_counts.cpp", line});
  emulator::leave_scope();
}

}  // namespace

TEST_CASE("each side of a branch is a round of its lanes, and so is each trip of a loop") {
  for_each_schedule([](emulator::options options) {
    std::vector<emulator::branch_count> counts{{{"old", 1}, 5, 5}};
    options.branches = &counts;
    options.threads = 2;
    run(options, {3, 1, 1}, {64, 1, 1}, [] {
      in_scope(lane() < 8 ? 0xffu : 0xffffff00u, 111);       // both sides
      if (lane() < 4) in_scope(0xfu, 222);                   // one side
      in_scope(full, 333);                                   // all agree
      for (int trip = 0; trip < lane() % 4; ++trip) in_scope(0xeeeeeeeeu & (trip > 0 ? 0xccccccccu : full) & (trip > 1 ? 0x88888888u : full), 444);
      in_scope(1u << lane(), 555);                           // each by itself
    });
    REQUIRE(counts.size() == 5);
    auto const check = [&](std::size_t i, int line, std::uint64_t rounds, std::uint64_t lanes) {
      CAPTURE(line);
      CHECK(counts[i].where.line == line);
      CHECK(counts[i].rounds == 6 * rounds);  // warps
      CHECK(counts[i].lanes == 6 * lanes);
      CHECK(counts[i].utilisation() == static_cast<double>(lanes) / static_cast<double>(32 * rounds));
    };
    check(0, 111, 2, 32);
    check(1, 222, 1, 4);
    check(2, 333, 1, 32);
    check(3, 444, 3, 24 + 16 + 8);
    check(4, 555, 32, 32);
    std::string const table = emulator::table_of(counts);
    CAPTURE(table);
    CHECK_THAT(table, ContainsSubstring("12.5 %  branch_counts.cpp:222"));
    CHECK(table.find(":555") < table.find(":444"));  // what loses most comes first
    CHECK(table.find(":111") < table.find(":333"));
  });
}

TEST_CASE("no branches, no counts") {
  std::vector<emulator::branch_count> counts;
  emulator::options options;
  options.branches = &counts;
  run(options, {1, 1, 1}, {32, 1, 1}, [] { emulator::sync_block(site::here()); });
  CHECK(counts.empty());
  CHECK(emulator::branch_count{}.utilisation() == 0.0);
}
