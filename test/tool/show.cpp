// `muster show`, as a user calls it.
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <muster/plan/describe.hpp>
#include <muster/plan/plan_for.hpp>

#include "tool/support.hpp"

using namespace test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

TEST_CASE("show reduce of six lanes of eight: the rounds, the instructions, who reads whom") {
  outcome const shown = run_tool({"show", "reduce", "--width", "8", "--lanes", "0x3f3f3f3f"});
  CHECK(shown.code == 0);
  CHECK(shown.err.empty());
  CHECK(shown.out ==
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

TEST_CASE("every operation shows the plan that kernels are compiled to") {
  using namespace muster::plan;
  muster::lane_set const some{0x0000ff0fu};
  std::string const lanes = "65295";  // the same, in decimal
  auto const shows = [&](std::string const& operation, std::string const& by, plan const& expected) {
    outcome const shown = run_tool({"show", operation, "--width", "16", "--lanes", lanes, "--by", by});
    CAPTURE(operation, shown.err);
    CHECK(shown.code == 0);
    CHECK(shown.out == describe(expected, 16, some));
  };
  shows("reduce", "1", make_plan(16, some, kind::all_reduce));
  shows("inclusive_scan", "1", make_plan(16, some, kind::inclusive_scan));
  shows("exclusive_scan", "1", make_plan(16, some, kind::exclusive_scan));
  shows("shuffle_xor", "2", make_move(16, some, move::exchange, 2));
  shows("shuffle_up", "3", make_move(16, some, move::up, 3));
  shows("shuffle_down", "5", make_move(16, some, move::down, 5));
  shows("broadcast", "11", make_move(16, some, move::from_rank, 11));
  CHECK(run_tool({"show", "reduce"}).out == describe(make_plan(32, muster::all_lanes, kind::all_reduce), 32, muster::all_lanes));
}

TEST_CASE("what cannot be shown is refused with the reason, and exit code 2") {
  auto const refused = [](std::vector<std::string> const& arguments, std::string const& reason) {
    outcome const shown = run_tool(arguments);
    CAPTURE(reason);
    CHECK(shown.code == 2);
    CHECK(shown.out.empty());
    CHECK_THAT(shown.err, ContainsSubstring(reason));
  };
  refused({"show"}, "operation is required");
  refused({"show", "sort"}, "sort not in {");
  refused({"show", "reduce", "--width", "12"}, "--width 12: a tile has 1, 2, 4, 8, 16 or 32 lanes");
  refused({"show", "reduce", "--width", "wide"}, "--width");
  refused({"show", "reduce", "--lanes", "0"}, "at least one lane");
  refused({"show", "reduce", "--lanes", "0x"}, "'0x' is not a set of 32 lanes");
  refused({"show", "reduce", "--lanes", "0x1ffffffff"}, "'0x1ffffffff' is not a set of 32 lanes");
  refused({"show", "reduce", "--lanes", "0x3g"}, "'0x3g' is not a set of 32 lanes");
  refused({"show", "shuffle_xor", "--width", "8", "--lanes", "0x3f", "--by", "4"}, "shuffle_xor: --by 4");
  refused({"show", "shuffle_up", "--width", "8", "--by", "8"}, "shuffle_up: --by 8");
  refused({"show", "broadcast", "--width", "4", "--by", "-1"}, "--by: '-1' is no whole number");
}
