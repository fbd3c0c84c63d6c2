// `muster demo`: every algorithm by every policy on every type, where it ran, how far from float64, and how fast.
#include "tool/demo.hpp"

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tool/commands.hpp"
#include "tool/progress.hpp"

namespace muster::tool {

namespace {

struct demo_request {
  std::string on;
  std::uint64_t seed = 1;
};

constexpr std::size_t rows_on_emulator = 2048;
constexpr std::size_t rows_on_device = std::size_t{1} << 17;

void run_demo(demo_request const& request) {
  demo_job job;
  job.on = choose_machine(request.on);
  job.seed = request.seed;
  job.rows = job.on == machine::device ? rows_on_device : rows_on_emulator;
  fmt::print("{} rows of 32 values, one warp each, seed {}; on {}\n\n", job.rows, job.seed,
             job.on == machine::device ? "the GPU: " + device_name() : "the CPU emulator (" + why_no_device() + ")");

  std::vector<demo_result> results;
  {
    std::size_t done = 0;
    progress shown("demo", 85);
    job.on_progress = [&](std::string const& what) { shown.at(done++, what); };
    for (auto const measure : {&demo_f32, &demo_f64, &demo_i32, &demo_i64, &demo_16_bit}) {
      std::vector<demo_result> const more = measure(job);
      results.insert(results.end(), more.begin(), more.end());
    }
  }

  fmt::print("{:<15} {:<5} {:<19} {:<9} {:>10} {:>10} {:>14}\n", "algorithm", "type", "policy", "ran on", "error", "allowed", "values/s");
  int wrong = 0;
  for (demo_result const& r : results) {
    bool const right = !r.ran || r.error <= r.bound;
    wrong += right ? 0 : 1;
    if (!r.ran) fmt::print("{:<15} {:<5} {:<19} needs a GPU\n", r.algorithm, r.type, r.policy);
    else
      fmt::print("{:<15} {:<5} {:<19} {:<9} {:>10.1e} {:>10.1e} {:>14.3e}{}\n", r.algorithm, r.type, r.policy, name_of(job.on), r.error, r.bound, r.values_per_second,
                 right ? "" : "  WRONG");
  }
  fmt::print("\nerror: the largest against float64, relative to the result or to the algorithm's scale (32 for sums, 0.01 for softmax, 1 for its logarithms);\n"
             "integers must be exact. A pair of policy and type without a row is one that the policy does not do: redux sums integers only.\n");
  if (wrong > 0) throw std::runtime_error(fmt::format("{} of {} results are further from float64 than allowed", wrong, results.size()));
}

}  // namespace

void add_demo(CLI::App& app) {
  auto* const command = app.add_subcommand("demo", "Reduce, scan and softmax by every policy, compared with float64");
  auto const request = std::make_shared<demo_request>();
  command->add_option("--on", request->on, "device or emulator; without it, the GPU if there is one")->check(CLI::IsMember({"device", "emulator"}));
  command->add_option("--seed", request->seed, "of the values and of the emulator's schedule")->capture_default_str();
  command->callback([request] { run_demo(*request); });
}

}  // namespace muster::tool
