// Sets of lanes, against what their words say lane by lane.
#include <cstdint>

#include <catch2/catch_test_macros.hpp>

#include <muster/core/lane_set.hpp>

using muster::lane_set;

namespace lane_set_tests {

TEST_CASE("a range has its lanes, and none where it would go beyond the warp") {
  long long wrong = 0;
  for (int first = -2; first <= 34; ++first) {
    for (int count = -2; count <= 34; ++count) {
      bool const fits = first >= 0 && count >= 0 && first + count <= 32;
      lane_set const range = lane_set::range(first, count);
      for (int lane = 0; lane < 32; ++lane) wrong += range.contains(lane) != (fits && lane >= first && lane < first + count);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("ranks count the members below a lane, and lanes are found again by their ranks") {
  long long wrong = 0;
  std::uint32_t bits = 1;
  for (int set = 0; set < 1000; ++set, bits = bits * 1664525u + 1013904223u) {
    lane_set const members{bits};
    int rank = 0;
    for (int lane = 0; lane < 32; ++lane) {
      wrong += members.rank_of(lane) != rank;
      if (!members.contains(lane)) continue;
      wrong += members.lane_of(rank) != lane;
      ++rank;
    }
    wrong += members.count() != rank;
    wrong += rank > 0 && (members.lane_of(0) != members.first() || members.lane_of(rank - 1) != members.last());
  }
  CHECK(wrong == 0);
}

TEST_CASE("the lanes of a tile are those of its aligned width") {
  long long wrong = 0;
  for (int lane = 0; lane < 32; ++lane) {
    wrong += muster::tile_lanes<1>(lane) != lane_set::single(lane);
    wrong += muster::tile_lanes<8>(lane) != lane_set::range(lane / 8 * 8, 8);
    wrong += muster::tile_lanes<32>(lane) != muster::all_lanes;
  }
  CHECK(wrong == 0);
}

}  // namespace lane_set_tests
