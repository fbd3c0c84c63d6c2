// What plan_for answers is what the tables say, for every length of a row.
#include "device/support.hpp"

#include <catch2/matchers/catch_matchers_string.hpp>

using namespace device_tests;
using device::row_access, device::row_way;

TEST_CASE("the plan of a row holds all of it, or says that it is read twice") {
  for (long long columns = 1; columns < 400000; columns += 1 + columns / 97) {
    auto const plan = device::plan_for<float>(1000, columns);
    INFO(columns << ": " << plan.text());
    CHECK((plan.way == row_way::reread || static_cast<long long>(plan.lanes) * plan.values_per_lane >= columns));
    CHECK(plan.access == (columns % 4 == 0 ? row_access::vectors : row_access::covering));
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
  CHECK(device::plan_for<float>(10, 2048).way == row_way::block);
  CHECK(device::plan_for<double>(10, 30000).way == row_way::cluster);
  CHECK_THAT(device::plan_for<float>(10, 10000000).text(), Catch::Matchers::ContainsSubstring("reads a row twice"));
}
