// `muster demo`: its figures, its table, and that it fails when a result is wrong.
#include "tool/demo.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tool/policy_names.hpp"
#include "tool/support.hpp"

using namespace test;
using namespace muster::tool;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("demo on the emulator: every algorithm has a line for each policy, with figures for each type it does") {
  outcome const demo = run_tool({"demo", "--on", "emulator", "--seed", "5"});
  INFO(demo.out << demo.err);
  REQUIRE(demo.code == 0);
  CHECK(demo.err.empty());  // progress is for terminals

  std::set<std::string> const algorithms{"reduce", "inclusive_scan", "exclusive_scan", "softmax", "log_softmax", "log_sum_exp"};
  std::map<std::string, std::map<std::string, std::vector<std::string>>> table;
  std::vector<std::string> types;
  std::string algorithm;
  auto const lines = lines_of(demo.out);
  for (std::string const& line : lines) {
    CHECK(line.size() <= 100);
    auto const words = words_of(line);
    if (words.size() > 3 && algorithms.contains(words[0]) && words[1] == "ran") {
      algorithm = words[0];
      types.assign(words.begin() + 3, words.end());
    } else if (words.empty()) {
      algorithm.clear();
    } else if (!algorithm.empty()) {
      table[algorithm][words[0]] = {words.begin() + 1, words.end()};
    }
  }
  REQUIRE(types.size() >= 4);
  CHECK(std::vector<std::string>(types.begin(), types.begin() + 4) == std::vector<std::string>{"f32", "f64", "i32", "i64"});

  int figures = 0;
  for (std::string const& name : algorithms) {
    CAPTURE(name);
    bool const is_fold = name == "reduce" || name.ends_with("_scan");
    auto& lines_of_policy = table[name];
    CHECK(lines_of_policy.contains("redux") == (name == "reduce"));
    for (char const* const policy : {"cub", "cooperative_groups"}) CHECK(lines_of_policy[policy] == std::vector<std::string>{"needs", "a", "GPU"});
    for (char const* const policy : {"automatic", "shuffle"}) {
      auto const& cells = lines_of_policy[policy];
      CAPTURE(policy);
      REQUIRE(!cells.empty());
      CHECK(cells[0] == "emulator");
      // Two words for each type that is done, a dash for each other.
      std::size_t const dashes = static_cast<std::size_t>(std::count(cells.begin(), cells.end(), "-"));
      CHECK(dashes == (is_fold ? 0 : 2));
      REQUIRE(cells.size() == 1 + dashes + 2 * (types.size() - dashes));
      CHECK(std::stod(cells[1]) > 0);
      CHECK(std::stod(cells[2]) < 1e-5);  // f32 stands first
      figures += static_cast<int>(types.size() - dashes);
    }
  }
  CHECK_THAT(lines.back(), ContainsSubstring(std::to_string(figures + 2) + " results, all within what is allowed"));  // and redux on i32 and i64
}

TEST_CASE("another seed gives other values, the same seed the same errors") {
  demo_job job;
  job.rows = 64;
  auto const errors = [&](std::uint64_t seed) {
    job.seed = seed;
    std::vector<double> found;
    for (demo_result const& r : demo_f32(job)) {
      found.push_back(r.error);
      CHECK(r.error <= r.bound);
      CHECK(r.ran == (r.policy != "cub" && r.policy != "cooperative_groups"));
      CHECK((!r.ran || r.values_per_second > 0));
      CHECK(std::find(std::begin(policy_names), std::end(policy_names), r.policy) != std::end(policy_names));
    }
    return found;
  };
  auto const first = errors(1);
  CHECK(*std::max_element(first.begin(), first.end()) > 0);
  CHECK(first == errors(1));
  CHECK(first != errors(2));
}

TEST_CASE("a result that is further off than allowed, or no number, makes the demo fail") {
  auto const result = [](double error) {
    demo_result r{"reduce", "automatic", "f32"};
    r.ran = true;
    r.error = error;
    r.bound = 1e-6;
    r.values_per_second = 1e6;
    return r;
  };
  CHECK_NOTHROW(report_demo({result(0), result(1e-6)}, machine::emulator));
  CHECK_THROWS_AS(report_demo({result(0), result(1.1e-6)}, machine::emulator), std::runtime_error);
  CHECK_THROWS_AS(report_demo({result(std::numeric_limits<double>::quiet_NaN())}, machine::emulator), std::runtime_error);
  CHECK_THROWS_AS(report_demo({result(std::numeric_limits<double>::infinity())}, machine::emulator), std::runtime_error);
  demo_result elsewhere{"reduce", "cub", "f32"};
  CHECK_NOTHROW(report_demo({result(0), elsewhere}, machine::emulator));
  CHECK_THROWS_AS(report_demo({elsewhere}, machine::emulator), std::runtime_error);  // nothing ran, so nothing was shown to be right
}

TEST_CASE("demo refuses what it does not know, with exit code 2") {
  CHECK(run_tool({"demo", "--on", "abacus"}).code == 2);
  CHECK(run_tool({"demo", "--seed", "first"}).code == 2);
  if (!why_no_device().empty()) {
    outcome const demo = run_tool({"demo", "--on", "device"});
    CHECK(demo.code == 2);
    CHECK(demo.out.empty());
    CHECK(demo.err == "muster: --on device: " + why_no_device() + "\n");
  }
}
