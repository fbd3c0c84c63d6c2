// `muster demo`: every algorithm by every policy on every type, where it ran, how far from float64, and how fast.
#include "tool/demo.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tool/commands.hpp"
#include "tool/policy_names.hpp"
#include "tool/progress.hpp"

namespace muster::tool {

namespace {

constexpr std::size_t rows_on_emulator = 2048;
constexpr std::size_t rows_on_device = std::size_t{1} << 17;

std::vector<demo_result> measure_all(demo_job job) {
  std::vector<demo_result> results;
  progress shown("demo");
  job.on_progress = [&](std::string const& what) { shown.begin(what); };
  for (auto const measure : {&demo_f32, &demo_f64, &demo_i32, &demo_i64, &demo_16_bit}) {
    std::vector<demo_result> const more = measure(job);
    results.insert(results.end(), more.begin(), more.end());
  }
  return results;
}

// The values of one member over all results, each once, in the order of their first appearance.
std::vector<std::string> distinct(std::vector<demo_result> const& results, std::string demo_result::* member) {
  std::vector<std::string> values;
  for (demo_result const& r : results)
    if (std::find(values.begin(), values.end(), r.*member) == values.end()) values.push_back(r.*member);
  return values;
}

bool is_right(demo_result const& r) { return !r.ran || r.error <= r.bound; }

// Three digits in four columns: 0.25, 2.53, 25.3, 253, 2530.
std::string three_digits(double v) {
  if (v < 9.995) return fmt::format("{:.2f}", v);
  return v < 99.95 ? fmt::format("{:.1f}", v) : fmt::format("{:.0f}", v);
}

// One digit and the power of ten: 9e-8.
std::string size_of_error(double v) {
  if (std::isnan(v)) return "nan";  // whose sign means nothing
  if (v == 0 || std::isinf(v)) return fmt::format("{}", v);
  std::string text = fmt::format("{:.0e}", v);
  std::size_t const exponent = text.find('e') + 2;
  while (exponent + 1 < text.size() && text[exponent] == '0') text.erase(exponent, 1);
  if (text[exponent - 1] == '+') text.erase(exponent - 1, 1);
  return text;
}

// One table for each algorithm: a line for each policy, a column for each type. The policies that do not do the algorithm at all have no line.
void print_table(std::vector<demo_result> const& results, machine on) {
  double const unit = on == machine::device ? 1e9 : 1e6;
  auto const types = distinct(results, &demo_result::type);
  auto const find = [&](std::string const& algorithm, std::string const& policy, std::string const& type) -> demo_result const* {
    for (demo_result const& r : results)
      if (r.algorithm == algorithm && r.policy == policy && r.type == type) return &r;
    return nullptr;
  };
  auto policies = distinct(results, &demo_result::policy);
  std::sort(policies.begin(), policies.end(), [](std::string const& a, std::string const& b) { return std::ranges::find(policy_names, a) < std::ranges::find(policy_names, b); });
  for (std::string const& algorithm : distinct(results, &demo_result::algorithm)) {
    fmt::print("\n{:<22}{:<9}", algorithm, "ran on");
    for (std::string const& type : types) fmt::print("{:>11}", type);
    std::string allowed;
    for (std::string const& policy : policies) {
      bool runs = false, exists = false;
      std::string cells, bounds;
      for (std::string const& type : types) {
        demo_result const* const r = find(algorithm, policy, type);
        exists = exists || r != nullptr;
        runs = runs || (r != nullptr && r->ran);
        cells += r != nullptr && r->ran ? fmt::format("  {:>4}{}{:>4}", three_digits(r->values_per_second / unit), is_right(*r) ? ' ' : '!', size_of_error(r->error))
                                        : fmt::format("{:>11}", "-");
        bounds += fmt::format("{:>11}", r == nullptr ? "-" : size_of_error(r->bound));
      }
      if (!exists) continue;
      if (allowed.empty()) allowed = bounds;
      if (runs) fmt::print("\n  {:<20}{:<9}{}", policy, name_of(on), cells);
      else fmt::print("\n  {:<20}needs a GPU", policy);
    }
    fmt::print("\n  {:<29}{}\n", "error allowed", allowed);
  }
}

}  // namespace

void report_demo(std::vector<demo_result> const& results, machine on) {
  print_table(results, on);

  fmt::print("\nIn each cell: the speed, then the largest error among all rows; below a table, the allowed error.\n"
             "error = |value - reference| / |reference|, the reference in float64 (for float64 in long double).\n"
             "Near zero it is divided by 32 for sums, 0.01 for softmax and 1 for logarithms instead.\n"
             "Integers must be exact: an error of 0. -: the policy does not do the type (redux does sums of\n"
             "integers only; softmax is for floating point).\n\n");
  std::size_t ran = 0, wrong = 0;
  for (demo_result const& r : results) {
    ran += r.ran ? 1 : 0;
    wrong += is_right(r) ? 0 : 1;
    if (!is_right(r)) fmt::print("WRONG: {} by {} on {}: error {}, allowed {}\n", r.algorithm, r.policy, r.type, size_of_error(r.error), size_of_error(r.bound));
  }
  if (ran == 0) throw std::runtime_error("nothing ran");
  if (wrong > 0) throw std::runtime_error(fmt::format("{} of {} results are further from the reference than allowed", wrong, ran));
  fmt::print("{} results, all within what is allowed{}\n", ran, ran == results.size() ? "" : fmt::format("; {} need a GPU", results.size() - ran));
}

void run_demo(demo_request const& request) {
  demo_job job;
  job.on = choose_machine(request.on);
  job.seed = request.seed;
  job.rows = job.on == machine::device ? rows_on_device : rows_on_emulator;
  fmt::print("{} rows of 32 random values, one warp each, seed {}\n", job.rows, job.seed);
  if (job.on == machine::device) {
    fmt::print("on the GPU: {}\n", device_name());
  } else {
    std::string const reason = why_no_device();
    fmt::print("on the CPU emulator, {}\n", reason.empty() ? "as asked" : "because\n" + reason);
  }
  fmt::print("each entry: {} values a second (launch, loads and stores included) and the largest error\n", job.on == machine::device ? "10^9" : "10^6");
  std::fflush(stdout);

  report_demo(measure_all(job), job.on);
}

}  // namespace muster::tool
