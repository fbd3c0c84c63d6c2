// Reduce, scan and softmax of arrays of all shapes, against plain loops.
#include "tool/arrays.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tool/errors.hpp"
#include "tool/policy_names.hpp"

using namespace muster::tool;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

std::vector<machine> machines() {
  if (why_no_device().empty()) return {machine::emulator, machine::device};
  return {machine::emulator};
}

bool needs_gpu(std::string const& policy) { return policy == "cub" || policy == "cooperative_groups"; }

array_job job_of(machine on, std::string const& policy, std::size_t rows, std::size_t columns) {
  array_job job;
  job.on = on;
  job.policy = policy;
  job.rows = rows;
  job.columns = columns;
  return job;
}

// For products the values lie near 1 and -1, so that those of a thousand stay in range.
template <class T>
std::vector<T> random_values(std::size_t count, std::uint64_t seed, std::string const& op = "sum") {
  std::mt19937_64 random(seed);
  std::vector<T> values(count);
  if constexpr (std::is_integral_v<T>) {
    for (T& v : values) v = static_cast<T>(random());  // so large that sums and products wrap
  } else {
    std::normal_distribution<double> normal(0, 3);
    for (T& v : values) {
      double const drawn = normal(random);
      v = static_cast<T>(op == "prod" ? std::copysign(std::exp(drawn / 50), drawn) : drawn);
    }
  }
  return values;
}

// The fold of two values as numbers of float64, or as wrapping integers.
template <class T>
auto folded(std::string const& op, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (op == "sum") return static_cast<T>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
    if (op == "prod") return static_cast<T>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
  } else {
    if (op == "sum") return a + b;
    if (op == "prod") return a * b;
  }
  return op == "min" ? std::min(a, b) : std::max(a, b);
}

template <class Wide>
Wide identity(std::string const& op) {
  if (op == "sum") return 0;
  if (op == "prod") return 1;
  bool const low = op == "max";
  if constexpr (std::is_integral_v<Wide>) return low ? std::numeric_limits<Wide>::min() : std::numeric_limits<Wide>::max();
  else return low ? -std::numeric_limits<Wide>::infinity() : std::numeric_limits<Wide>::infinity();
}

// Whether two results agree: integers and extrema exactly, sums against the sum of sizes, products relatively.
template <class T, class Wide>
bool agrees(std::string const& op, T got, Wide expected, Wide size, std::size_t count) {
  if constexpr (std::is_integral_v<T>) return got == expected;
  else {
    if (op == "min" || op == "max") return got == static_cast<T>(expected);
    double const allowed = std::numeric_limits<T>::epsilon() * (8.0 + static_cast<double>(count));
    return std::abs(got - expected) <= allowed * (op == "sum" ? size : std::abs(expected)) + std::numeric_limits<T>::min() * static_cast<double>(count);
  }
}

template <class T>
using wide_of = std::conditional_t<std::is_integral_v<T>, T, double>;

template <class T>
void check_folds(array_job const& job, std::vector<T> const& values) {
  using wide = wide_of<T>;
  auto const reduced = reduce_array(job, values);
  REQUIRE(reduced.size() == job.rows);
  bool const scans = job.policy != "redux";
  for (bool const exclusive : {false, true}) {
    array_job scan_job = job;
    scan_job.exclusive = exclusive;
    auto const scanned = scans ? scan_array(scan_job, values) : std::vector<T>(values.size());
    REQUIRE(scanned.size() == values.size());
    for (std::size_t row = 0; row < job.rows; ++row) {
      wide running = identity<wide>(job.op), size = 0;
      for (std::size_t column = 0; column < job.columns; ++column) {
        T const value = values[row * job.columns + column];
        wide const before = running;
        running = folded<wide>(job.op, running, value);
        if constexpr (std::is_floating_point_v<T>) size += std::abs(value);
        if (scans && !agrees<T, wide>(job.op, scanned[row * job.columns + column], exclusive ? before : running, size, column)) {
          FAIL((exclusive ? "exclusive" : "inclusive") << " scan, row " << row << ", column " << column << ": got " << scanned[row * job.columns + column] << ", expected "
                                                       << (exclusive ? before : running));
        }
      }
      if (!agrees<T, wide>(job.op, reduced[row], running, size, job.columns)) FAIL("reduce, row " << row << ": got " << reduced[row] << ", expected " << running);
    }
  }
}

template <class T>
void check_softmax(array_job const& job, std::vector<T> const& values) {
  double const epsilon = std::numeric_limits<T>::epsilon();
  array_job log_job = job;
  log_job.log = true;
  auto const got = softmax_array(job, values), got_log = softmax_array(log_job, values);
  REQUIRE(got.size() == values.size());
  for (std::size_t row = 0; row < job.rows; ++row) {
    T const* const from = values.data() + row * job.columns;
    long double sum = 0, maximum = *std::max_element(from, from + job.columns);
    for (std::size_t i = 0; i < job.columns; ++i) sum += std::exp(from[i] - maximum);
    for (std::size_t i = 0; i < job.columns; ++i) {
      long double const log = from[i] - maximum - std::log(sum), plain = std::exp(log);
      T const v = got[row * job.columns + i], l = got_log[row * job.columns + i];
      if (!(std::abs(v - plain) <= 64 * epsilon * plain)) FAIL("softmax, row " << row << ", column " << i << ": got " << v << ", expected " << static_cast<double>(plain));
      if (!(std::abs(l - log) <= 8 * epsilon * std::max<long double>(1, std::abs(log))))
        FAIL("log_softmax, row " << row << ", column " << i << ": got " << l << ", expected " << static_cast<double>(log));
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("reductions and scans of rows of any length equal those of a loop", "", float, double, std::int32_t) {
  // Around a lane's four values, tiles of 8 lanes, whole warps, and pieces of 128; rows that fill no block.
  std::size_t const columns = GENERATE(1, 2, 7, 8, 9, 31, 32, 33, 127, 128, 129, 1000);
  std::size_t const rows = GENERATE(1, 3, 37);
  std::string const op = GENERATE("sum", "min", "max", "prod");
  auto const values = random_values<TestType>(rows * columns, columns * 100 + rows, op);
  for (machine const on : machines()) {
    CAPTURE(rows, columns, op, name_of(on));
    array_job job = job_of(on, "automatic", rows, columns);
    job.op = op;
    check_folds(job, values);
  }
  SUCCEED();
}

TEMPLATE_TEST_CASE("the softmax of rows of any length, and its logarithm, equal those of a loop", "", float, double) {
  std::size_t const columns = GENERATE(1, 2, 7, 8, 9, 31, 32, 33, 127, 128, 129, 1000);
  std::size_t const rows = GENERATE(1, 3, 37);
  auto const values = random_values<TestType>(rows * columns, columns * 100 + rows);
  for (machine const on : machines()) {
    CAPTURE(rows, columns, name_of(on));
    check_softmax(job_of(on, "automatic", rows, columns), values);
  }
  SUCCEED();
}

TEST_CASE("every policy gives the same or says that it cannot") {
  std::string const policy = GENERATE(from_range(std::begin(policy_names), std::end(policy_names)));
  std::size_t const columns = GENERATE(8, 77, 300);
  for (machine const on : machines()) {
    CAPTURE(policy, columns, name_of(on));
    auto const floats = random_values<float>(5 * columns, 1);
    auto const doubles = random_values<double>(5 * columns, 2);
    auto const integers = random_values<std::int32_t>(5 * columns, 3);
    array_job job = job_of(on, policy, 5, columns);
    if (needs_gpu(policy) && on == machine::emulator) {
      CHECK_THROWS_MATCHES(reduce_array(job, floats), bad_input, MessageMatches(ContainsSubstring("policy " + policy + " needs a GPU")));
      CHECK_THROWS_MATCHES(scan_array(job, doubles), bad_input, MessageMatches(ContainsSubstring("policy " + policy + " needs a GPU")));
      CHECK_THROWS_MATCHES(softmax_array(job, floats), bad_input, MessageMatches(ContainsSubstring("policy " + policy + " needs a GPU")));
      continue;
    }
    if (policy == "redux") {
      CHECK_THROWS_MATCHES(reduce_array(job, floats), bad_input, MessageMatches(ContainsSubstring("policy redux does not do")));
      CHECK_THROWS_MATCHES(reduce_array(job, doubles), bad_input, MessageMatches(ContainsSubstring("policy redux does not do")));
      CHECK_THROWS_MATCHES(softmax_array(job, floats), bad_input, MessageMatches(ContainsSubstring("policy redux does not do")));
      CHECK_THROWS_MATCHES(scan_array(job, integers), bad_input, MessageMatches(ContainsSubstring("policy redux does not do scans")));
      for (char const* const op : {"sum", "min", "max"}) {
        job.op = op;
        check_folds(job, integers);
      }
      job.op = "max";
      check_folds(job, floats);
      continue;
    }
    for (char const* const op : {"sum", "min", "max", "prod"}) {
      job.op = op;
      check_folds(job, random_values<float>(5 * columns, 1, op));
      check_folds(job, random_values<double>(5 * columns, 2, op));
      check_folds(job, integers);
    }
    check_softmax(job, floats);
    check_softmax(job, doubles);
  }
}

TEST_CASE("special values: -inf gives 0, a row of only -inf, with +inf or with NaN is NaN, no spread overflows") {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  std::size_t const columns = GENERATE(3, 40, 700);
  std::size_t const at = GENERATE(0, 1, 2);  // where the special value stands; also behind the first piece of a lane
  std::size_t const place = at == 2 ? columns - 1 : at;
  enum { one_lowest, only_lowest, with_highest, with_nan, spread, rows };
  std::vector<float> values(rows * columns, 1.0f);
  auto const row = [&](int r) { return values.begin() + static_cast<std::ptrdiff_t>(r * columns); };
  row(one_lowest)[static_cast<std::ptrdiff_t>(place)] = -inf;
  std::fill_n(row(only_lowest), columns, -inf);
  row(with_highest)[static_cast<std::ptrdiff_t>(place)] = inf;
  row(with_nan)[static_cast<std::ptrdiff_t>(place)] = nan;
  std::fill_n(row(spread), columns, -3e38f);
  row(spread)[static_cast<std::ptrdiff_t>(place)] = 3e38f;
  for (machine const on : machines()) {
    CAPTURE(columns, place, name_of(on));
    array_job job = job_of(on, "automatic", rows, columns);
    auto const got = softmax_array(job, values);
    job.log = true;
    auto const got_log = softmax_array(job, values);
    for (std::size_t i = 0; i < columns; ++i) {
      CAPTURE(i);
      auto const each = 1.0f / static_cast<float>(columns - 1);
      CHECK(std::abs(got[one_lowest * columns + i] - (i == place ? 0.0f : each)) <= 1e-6f * each);
      CHECK((i != place || got_log[one_lowest * columns + i] == -inf));
      for (int r : {only_lowest, with_highest, with_nan}) {
        CHECK(std::isnan(got[static_cast<std::size_t>(r) * columns + i]));
        CHECK(std::isnan(got_log[static_cast<std::size_t>(r) * columns + i]));
      }
      CHECK(got[spread * columns + i] == (i == place ? 1.0f : 0.0f));
      CHECK(got_log[spread * columns + i] == (i == place ? 0.0f : -inf));
    }
    // A NaN counts as missing for the extrema, unless there is nothing else.
    job.op = "max";
    auto const largest = reduce_array(job, values);
    CHECK(largest == std::vector<float>{1.0f, -inf, inf, 1.0f, 3e38f});
    CHECK(std::isnan(reduce_array(job, std::vector<float>(rows * columns, nan))[0]));
  }
}

TEST_CASE("arrays without values: no rows give no results, empty rows give the identity") {
  for (machine const on : machines()) {
    CAPTURE(name_of(on));
    CHECK(reduce_array(job_of(on, "automatic", 0, 5), std::vector<float>{}).empty());
    CHECK(scan_array(job_of(on, "automatic", 0, 5), std::vector<float>{}).empty());
    CHECK(softmax_array(job_of(on, "automatic", 0, 5), std::vector<double>{}).empty());
    CHECK(softmax_array(job_of(on, "automatic", 3, 0), std::vector<double>{}).empty());
    array_job job = job_of(on, "automatic", 3, 0);
    CHECK(reduce_array(job, std::vector<float>{}) == std::vector<float>(3, 0.0f));
    job.op = "prod";
    CHECK(reduce_array(job, std::vector<std::int32_t>{}) == std::vector<std::int32_t>(3, 1));
    job.op = "min";
    CHECK(reduce_array(job, std::vector<double>{}) == std::vector<double>(3, std::numeric_limits<double>::infinity()));
  }
}

TEST_CASE("an array larger than one launch takes is done in parts, which report how far they are") {
  std::size_t const rows = 3000, columns = 1500;
  auto const values = random_values<std::int32_t>(rows * columns, 7);
  std::vector<std::size_t> reported;
  array_job job = job_of(machine::emulator, "automatic", rows, columns);
  job.on_progress = [&](std::size_t done) { reported.push_back(done); };
  auto const sums = reduce_array(job, values);
  for (std::size_t row = 0; row < rows; ++row) {
    std::uint32_t expected = 0;
    for (std::size_t i = 0; i < columns; ++i) expected += static_cast<std::uint32_t>(values[row * columns + i]);
    if (sums[row] != static_cast<std::int32_t>(expected)) FAIL("row " << row);
  }
  CHECK(reported.size() > 1);
  CHECK(std::is_sorted(reported.begin(), reported.end()));
  CHECK(reported.back() == rows);
}

TEST_CASE("names that do not exist are refused") {
  CHECK_THROWS_MATCHES(reduce_array(job_of(machine::emulator, "magic", 1, 1), std::vector<float>{1}), bad_input, MessageMatches(ContainsSubstring("policy called 'magic'")));
  array_job job = job_of(machine::emulator, "automatic", 1, 1);
  job.op = "minus";
  CHECK_THROWS_MATCHES(scan_array(job, std::vector<float>{1}), bad_input, MessageMatches(ContainsSubstring("operation called 'minus'")));
}
