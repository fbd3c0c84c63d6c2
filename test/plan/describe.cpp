// The text of a plan.
#include <catch2/catch_test_macros.hpp>

#include <muster/plan/describe.hpp>
#include <muster/plan/plan_for.hpp>

#include "support.hpp"

using namespace test;
using muster::all_lanes;
using muster::plan::describe;
using muster::plan::make_move;
using muster::plan::make_plan;

TEST_CASE("six lanes of eight: rounds, instruction forms and who reads whom") {
  lane_set const members{0x3f3f3f3fu};
  CHECK(describe(make_plan(8, members, kind::all_reduce), 8, members) ==
        "width 8, lanes 0x3f3f3f3f (0-5 8-13 16-21 24-29): 4 tiles of 6 members, 3 shuffles\n"
        "round 1: shfl.sync.bfly 1  (c=0x181f)  folds; every member takes\n"
        "round 2: shfl.sync.bfly 2  (c=0x1805)  folds; who is in range takes\n"
        "round 3: shfl.sync.idx (lane & 0x4) ^ 4  (c=0x181f)  folds; every member takes\n"
        "who reads whom: in the row of a round, below each lane, the lane whose value it gets and how it folds that in:\n    3* is received * own, *3 is own * received, 3 replaces its own, - takes nothing\n"
        "    lane      0   1   2   3   4   5\n"
        "    round 1  *1  0*  *3  2*  *5  4*\n"
        "    round 2  *2  *3  0*  1*   -   -\n"
        "    round 3  *4  *4  *4  *4  0*  0*\n"
        "    and likewise in the tiles from lane 8, 16, 24\n");
}

TEST_CASE("an exclusive scan of scattered lanes shows ranks beside lanes, and the table") {
  lane_set const members{0x00000131u};
  CHECK(describe(make_plan(32, members, kind::exclusive_scan), 32, members) ==
        "width 32, lanes 0x131 (0 4-5 8): 1 tile of 4 members, 3 shuffles, a word per lane from a table\n"
        "round 1: shfl.sync.idx word & 31  (c=0x5)  folds; who is in range takes\n"
        "round 2: shfl.sync.idx word >> 5 & 31  (c=0x4)  folds; who is in range takes\n"
        "round 3: shfl.sync.idx word >> 10 & 31  (c=0x5)  replaces; who is in range takes\n"
        "who reads whom: in the row of a round, below each lane, the lane whose value it gets and how it folds that in:\n    3* is received * own, *3 is own * received, 3 replaces its own, - takes nothing\n"
        "    lane      0   4   5   8\n"
        "    round 1   -  0*  4*  5*\n"
        "    round 2   -   -  0*  4*\n"
        "    round 3   -   0   4   5\n"
        "    rank      0   1   2   3\n"
        "    round 1   -  0*  1*  2*\n"
        "    round 2   -   -  0*  1*\n"
        "    round 3   -   0   1   2\n"
        "words: 0:0x7fff 4:0x3e0 5:0x1004 8:0x1485\n");
}

TEST_CASE("a plan without steps says that there is nothing to do") {
  CHECK(describe(make_plan(1, all_lanes, kind::all_reduce), 1, all_lanes) ==
        "width 1, lanes 0xffffffff (0-31): 32 tiles of 1 member, 0 shuffles\n"
        "nothing to do: every member already holds the result\n");
}

TEST_CASE("a move is one replacing round") {
  lane_set const members = lane_set::range(0, 4);
  CHECK(describe(make_move(4, members, move::up, 1), 4, members) ==
        "width 4, lanes 0xf (0-3): 1 tile of 4 members, 1 shuffle\n"
        "round 1: shfl.sync.up 1  (c=0x1c00)  replaces; who is in range takes\n"
        "who reads whom: in the row of a round, below each lane, the lane whose value it gets and how it folds that in:\n    3* is received * own, *3 is own * received, 3 replaces its own, - takes nothing\n"
        "    lane      0   1   2   3\n"
        "    round 1   -   0   1   2\n");
}

TEST_CASE("the text of any plan has a line per round and never a source outside its tile") {
  random_sets next{8};
  for (int i = 0; i < 500; ++i) {
    lane_set const members = next();
    for (int width : widths) {
      for (kind k : kinds) {
        plan const p = make_plan(width, members, k);
        std::string const text = describe(p, width, members);
        bool good = text.find('?') == std::string::npos && text.back() == '\n';
        for (int r = 1; r <= 6; ++r) good = good && (text.find("round " + std::to_string(r) + ": shfl.sync.") != std::string::npos) == (r <= p.count);
        if (!good) FAIL(text);
      }
    }
  }
  SUCCEED();
}
