// What plan_for answers is what the tables say, for every length of a row.
#include "device/support.hpp"

#include <cstdint>
#include <stdexcept>

#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace device_tests;
using device::row_access, device::row_way;

TEST_CASE("the plan of a row holds all of it, or says that it is read twice") {
  for (long long columns = 1; columns < 400000; columns += 1 + columns / 97) {
    auto const plan = device::plan_for<float>(1000, columns, {132, false});
    INFO(columns << ": " << plan.text());
    CHECK((plan.way == row_way::reread || static_cast<long long>(plan.lanes) * plan.values_per_lane >= columns));
    CHECK(plan.access == (columns % 4 == 0 ? row_access::vectors : device::detail::is_edged(columns / 4, 4) ? row_access::edged : row_access::covering));
    CHECK(plan.blocks >= 1);
    CHECK((plan.way == row_way::tile) == (plan.lanes <= 32));
  }
}

TEST_CASE("the plan can be asked and printed") {
  auto const narrow = device::plan_for<float>(1 << 20, 32);
  CHECK(narrow.way == row_way::tile);
  CHECK(narrow.lanes == 8);
  CHECK(narrow.values_per_lane == 4);
  CHECK(std::string(narrow.name()) == "tile");
  CHECK_THAT(narrow.text(), Catch::Matchers::ContainsSubstring("a tile of 8 lanes holds a row, 4 values a lane"));
  CHECK(device::plan_for<float>(1000, 2048).way == row_way::block);
  CHECK(device::plan_for<double>(1000, 30000).way == row_way::cluster);
  CHECK_THAT(device::plan_for<float>(10, 10000000, {132, false}).text(), Catch::Matchers::ContainsSubstring("reads a row twice"));
}

TEST_CASE("few rows get more threads or more multiprocessors, and long ones all of them, in teams") {
  CHECK(device::plan_for<float>(1000, 4096).lanes == 256);
  CHECK(device::plan_for<float>(132, 4096).lanes == 512);
  CHECK_THAT(device::plan_for<float>(16, 4096).text(), Catch::Matchers::StartsWith("cluster: a cluster of 8 blocks holds a row, 4 values a lane in 1 access (vectors), 1 row in flight, 128 blocks of 128"));
  CHECK(device::plan_for<float>(17, 4096).way == row_way::block);        // 17 clusters of 8 are more than 132 multiprocessors
  CHECK(device::plan_for<std::uint16_t>(1, 4096).threads == 64);
  CHECK(device::plan_for<float>(1, 1024).blocks == 1);                   // a row of 4 Ki is one block's
  CHECK(device::plan_for<float>(1, 1028).blocks == 8);
  CHECK(device::plan_for<float>(1, 4100).accesses_per_lane == 2);
  CHECK(device::plan_for<float>(1, 8196).accesses_per_lane == 4);
  CHECK(device::plan_for<float>(1, 16388).threads == 256);
  CHECK(device::plan_for<float>(1, 32772).blocks == 16);
  CHECK(device::plan_for<float>(132, 512).way == row_way::tile);
  CHECK(device::plan_for<float>(1000, 32768).way == row_way::block);
  CHECK(device::plan_for<float>(1000, 7676).threads == 512);
  CHECK(device::plan_for<float>(1000, 7680).threads == 1024);
  CHECK(device::plan_for<float>(1000, 8192).threads == 1024);
  CHECK(device::plan_for<float>(1000, 8196).threads == 512);
  CHECK(device::plan_for<double>(1000, 4096).threads == 512);
  auto const few = device::plan_for<float>(4, 32768);
  CHECK(few.way == row_way::cluster);
  CHECK(few.blocks == 32);
  CHECK(device::plan_for<float>(17, 32768).way == row_way::block);
  CHECK(device::plan_for<float>(4, 32768, {16}).way == row_way::block);  // 4 clusters of 8 are more than 16
  auto const one = device::plan_for<float>(1, 1 << 20);
  CHECK_THAT(one.text(), Catch::Matchers::StartsWith("grid: a team of 263 blocks shares a row, up to 16 values a lane in 4 accesses (vectors), 1 row in flight"));
  auto const longest = device::plan_for<float>(132, 1 << 24);
  CHECK(longest.rows_in_flight == 1);
  CHECK(longest.blocks == 132);
  CHECK(device::plan_for<float>(132, 1 << 20).rows_in_flight == 10);
}

TEST_CASE("short rows with a little between them are one run of memory, unless they collide in shared memory or lie far apart") {
  using device::detail::access_of;
  CHECK(access_of<float, float>(0, 0, 16, 17, 17) == row_access::dense);
  CHECK(access_of<float, float>(1, 1, 8, 9, 13) == row_access::dense);
  CHECK(access_of<float, float>(0, 0, 20, 21, 21) == row_access::staged);
  CHECK(access_of<float, float>(0, 0, 15, 16, 16) == row_access::staged);   // every row begins in the same bank
  CHECK(access_of<float, float>(0, 0, 15, 0, 0) == row_access::staged);     // one row
  CHECK(access_of<float, float>(1, 1, 15, 15, 15) == row_access::covering);
  CHECK(access_of<float, float>(0, 1, 16, 17, 17) == row_access::words);    // out of phase
}

TEST_CASE("rows of 16-bit values that lie one after the other take the way of their length") {
  struct length {
    long long columns;
    row_access access;
  };
  for (auto const [columns, access] : {length{79, row_access::dense}, {80, row_access::covering}, {81, row_access::dense}, {95, row_access::dense}, {96, row_access::covering},
                                       {191, row_access::dense}, {192, row_access::covering}, {255, row_access::dense}, {256, row_access::covering},
                                       {927, row_access::covering}, {928, row_access::dense}, {1087, row_access::dense}, {1088, row_access::covering},
                                       {1151, row_access::covering}, {1152, row_access::edged}, {1543, row_access::edged}, {1544, row_access::covering}}) {
    INFO(columns);
    // Only sizes count. From value 1 past a vector on, so that no row is vectors.
    CHECK(device::detail::access_of<std::uint16_t, std::uint16_t>(1, 1, columns, columns, columns) == access);
    CHECK(device::detail::is_dense(columns, 2) == (access == row_access::dense));
  }
}

TEST_CASE("rows of 16-bit values with a little between them are dense where their shape holds that too") {
  auto const access = [](long long columns, long long stride) { return device::detail::access_of<std::uint16_t, std::uint16_t>(0, 0, columns, stride, stride); };
  CHECK(access(18, 19) == row_access::dense);   // 10 words
  CHECK(access(19, 20) == row_access::staged);  // the shape of 10 words has no room for an eleventh
  CHECK(access(20, 21) == row_access::dense);
  CHECK(access(37, 39) == row_access::dense);
  CHECK(access(37, 40) == row_access::staged);
}

TEST_CASE("a division gives every value to one block, and every row to one team") {
  for (long long blocks : {1, 2, 5, 132, 264})
    for (long long rows : {1, 2, 7, 130, 1000})
      for (long long columns : {1ll, 31ll, 1000ll, 300001ll, 1ll << 33}) {
        auto const d = device::detail::divided(rows, columns, blocks, 8000, 4);
        INFO(blocks << " blocks, " << rows << " x " << columns << ": " << d.teams << " teams of " << d.blocks_of_team << ", parts of " << d.part);
        CHECK((d.teams >= 1 && d.teams <= rows && d.blocks_of_team >= 1));
        CHECK(static_cast<long long>(d.teams) * d.blocks_of_team <= blocks);
        CHECK(d.part % 32 == 0);
        CHECK(d.part * d.blocks_of_team >= columns);
        CHECK(d.part * (d.blocks_of_team - 1) < columns);
      }
}

TEST_CASE("a plan of nothing, or of less, is refused with the reason") {
  using Catch::Matchers::MessageMatches, Catch::Matchers::ContainsSubstring;
  CHECK_THROWS_MATCHES(device::plan_for<float>(-1, 10), std::invalid_argument, MessageMatches(ContainsSubstring("-1 x 10")));
  CHECK_THROWS_MATCHES(device::plan_for<float>(10, 0), std::invalid_argument, MessageMatches(ContainsSubstring("10 x 0")));
  CHECK_THROWS_MATCHES(device::plan_for<float>(0x7fffffffffffffff, 1), std::invalid_argument, MessageMatches(ContainsSubstring("more bytes than an address")));
  CHECK_THROWS_MATCHES(device::plan_for<float>(1, 0x7fffffffffffffff), std::invalid_argument, MessageMatches(ContainsSubstring("more bytes than an address")));
  CHECK_THROWS_MATCHES(device::plan_for<float>(1ll << 60, 1), std::invalid_argument, MessageMatches(ContainsSubstring("more than one grid can have")));
  CHECK_THROWS_MATCHES(device::plan_for<float>(10, 10, {0}), std::invalid_argument, MessageMatches(ContainsSubstring("multiprocessors")));
}
