// Questions about tiles, against counting by hand.
#include <catch2/catch_test_macros.hpp>

#include <muster/plan/tiles.hpp>

#include "support.hpp"

using namespace test;
using muster::all_lanes;
using namespace muster::plan;

namespace {

std::vector<int> counts_of(int width, lane_set members) {
  std::vector<int> result;
  for (int base = 0; base < 32; base += width) {
    int count = 0;
    for (int lane = base; lane < base + width; ++lane) count += members.contains(lane) ? 1 : 0;
    if (count > 0) result.push_back(count);
  }
  return result;
}

bool rank_exists_for_all(int width, lane_set members, int n) {
  for (int count : counts_of(width, members)) {
    for (int r = 0; r < count; ++r) {
      if ((r ^ n) >= count) return false;
    }
  }
  return true;
}

}  // namespace

static_assert(smallest_tile_count<8>(all_lanes) == 8);
static_assert(smallest_tile_count<8>(lane_set{0x0000ff01u}) == 1, "empty tiles do not count");
static_assert(smallest_tile_count<8>(lane_set{}) == 0);
static_assert(largest_tile_count<8>(lane_set{0x0000ff01u}) == 8);
static_assert(is_closed_under_exchange<8>(all_lanes, 7));
static_assert(!is_closed_under_exchange<8>(all_lanes, 8), "leaves the tile");
static_assert(!is_closed_under_exchange<8>(lane_set{0x3f3f3f3fu}, 2), "six members: rank 4 would read rank 6");
static_assert(is_closed_under_exchange<8>(lane_set{0x3f3f3f3fu}, 1));
static_assert(largest_exchange<8>(all_lanes) == 7);
static_assert(largest_exchange<8>(lane_set{0x3f3f3f3fu}) == 1);
static_assert(largest_exchange<8>(lane_set{0x07070707u}) == 0, "three members: only everybody's own");
static_assert(is_defined(8, lane_set{0x3f3f3f3fu}, muster::plan::move::from_rank, 5));
static_assert(!is_defined(8, lane_set{0x3f3f3f3fu}, muster::plan::move::from_rank, 6));
static_assert(!is_defined(8, all_lanes, muster::plan::move::up, -1));
static_assert(!is_defined(12, all_lanes, muster::plan::move::up, 1));
static_assert(levels_of(1) == 0 && levels_of(2) == 1 && levels_of(3) == 2 && levels_of(32) == 5);

TEST_CASE("counts and closure agree with counting by hand for random sets") {
  random_sets next{6};
  for (int i = 0; i < 3'000; ++i) {
    lane_set const members = next();
    for (int width : widths) {
      std::vector<int> const counts = counts_of(width, members);
      int smallest = 32;
      int largest = 0;
      for (int c : counts) {
        smallest = c < smallest ? c : smallest;
        largest = c > largest ? c : largest;
      }
      bool good = smallest_tile_count(width, members) == smallest && largest_tile_count(width, members) == largest;
      for (int n = 0; n <= width; ++n) {
        good = good && is_closed_under_exchange(width, members, n) == (n < width && rank_exists_for_all(width, members, n));
        for (test::move m : {test::move::from_rank, test::move::up, test::move::down}) good = good && is_defined(width, members, m, n) == (n < smallest);
      }
      for (int lane = 0; lane < 32; ++lane) good = good && tile_of_lane(width, lane).contains(lane) && tile_of_lane(width, lane).count() == width;
      if (!good) FAIL("width " << width << " members " << members.bits);
    }
  }
  SUCCEED();
}
