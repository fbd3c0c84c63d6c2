// `muster plan`, as a user calls it.
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <muster/device/softmax_plan.hpp>

#include "tool/support.hpp"

using namespace test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("plan prints what plan_for says") {
  auto const row_machine = [](int multiprocessors, bool has_workspace) { return muster::device::row_machine{multiprocessors, has_workspace}; };
  outcome const usual = run_tool({"plan", "--rows", "1048576", "--cols", "1024", "--type", "f32"});
  CHECK(usual.code == 0);
  CHECK(usual.out == muster::device::plan_for<float>(1048576, 1024).text() + "\n");
  outcome const one = run_tool({"plan", "--rows", "1", "--cols", "16777216", "--type", "f64", "--multiprocessors", "78"});
  CHECK(one.out == muster::device::plan_for<double>(1, 16777216, row_machine(78, true)).text() + "\n");
  outcome const without = run_tool({"plan", "--rows", "1", "--cols", "16777216", "--no-workspace"});
  CHECK(without.out == muster::device::plan_for<float>(1, 16777216, row_machine(132, false)).text() + "\n");
  outcome const half = run_tool({"plan", "--rows", "9", "--cols", "64", "--type", "bf16"});
  CHECK_THAT(half.out, ContainsSubstring("a tile of 8 lanes holds a row, 8 values a lane in 1 access (vectors)"));
}

TEST_CASE("plan refuses sizes that no matrix has") {
  for (char const* const rows : {"-1", "0"}) {
    outcome const refused = run_tool({"plan", "--rows", rows, "--cols", "10"});
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, ContainsSubstring("--rows: '" + std::string(rows) + "' is no whole number"));
    CHECK(refused.out.empty());
  }
  CHECK(run_tool({"plan", "--rows", "1", "--cols", "10", "--type", "f8"}).code == 2);
  CHECK(run_tool({"plan", "--rows", "1"}).code == 2);
}
