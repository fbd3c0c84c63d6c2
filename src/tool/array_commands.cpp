// `muster softmax|reduce|scan FILE.npy`: an algorithm on the rows of a file.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "tool/arrays.hpp"
#include "tool/commands.hpp"
#include "tool/npy.hpp"
#include "tool/policy_names.hpp"
#include "tool/progress.hpp"

namespace muster::tool {

namespace {

struct array_request {
  std::string in;
  std::string out;
  std::string on;
  array_job job;
};

enum class array_algorithm { softmax, reduce, scan };

template <class T>
std::vector<T> run(array_algorithm algorithm, array_job const& job, std::vector<T> const& values) {
  switch (algorithm) {
    case array_algorithm::reduce: return reduce_array(job, values);
    case array_algorithm::scan: return scan_array(job, values);
    case array_algorithm::softmax: break;
  }
  if constexpr (std::is_floating_point_v<T>) return softmax_array(job, values);
  else throw bad_input("softmax needs floating-point values, and the file has i32");
}

// Shape, and as many values as fit a line.
void print_summary(npy_array const& array, array_request const& request) {
  std::string shape;
  for (std::size_t extent : array.shape) shape += (shape.empty() ? "" : " x ") + std::to_string(extent);
  std::string values;
  std::visit(
      [&](auto const& all) {
        std::size_t const shown = std::min<std::size_t>(all.size(), 8);
        for (std::size_t i = 0; i < shown; ++i) values += fmt::format("{}{:.6g}", i == 0 ? "" : " ", static_cast<double>(all[i]));
        if (all.size() > shown) values += " ...";
      },
      array.values);
  fmt::print("{} {}, policy {}, on {}\n{}\n", shape, type_name(array), request.job.policy, name_of(request.job.on), values);
}

void run_command(array_algorithm algorithm, array_request& request) {
  request.job.on = choose_machine(request.on);
  auto const folder = std::filesystem::path(request.out).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) throw npy_error(request.out + ": there is no folder " + folder.string());
  npy_array const in = read_npy(request.in);
  request.job.rows = in.rows();
  request.job.columns = in.columns();
  progress shown(request.in, request.job.rows);
  request.job.on_progress = [&](std::size_t rows_done) { shown.at(rows_done); };

  npy_array out;
  out.shape = in.shape;
  if (algorithm == array_algorithm::reduce) out.shape = {in.rows()};
  std::visit([&](auto const& values) { out.values = run(algorithm, request.job, values); }, in.values);
  if (request.out.empty()) print_summary(out, request);
  else write_npy(request.out, out);
}

void add_command(CLI::App& app, char const* name, char const* description, array_algorithm algorithm) {
  auto* const command = app.add_subcommand(name, description);
  auto const request = std::make_shared<array_request>();
  command->add_option("file", request->in, "a .npy file of f32, f64 or i32, one or two dimensions in C order; the last one is a row")->required();
  command->add_option("-o,--output", request->out, "the .npy file to write; without it, the shape and the first values are printed");
  command->add_option("--policy", request->job.policy, "automatic, shuffle, redux, cub or cooperative_groups")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(policy_names), std::end(policy_names))))
      ->capture_default_str();
  command->add_option("--on", request->on, "device or emulator; without it, the GPU if there is one")->check(CLI::IsMember({"device", "emulator"}));
  if (algorithm != array_algorithm::softmax)
    command->add_option("--op", request->job.op, "sum, min, max or prod; i32 wraps, f32 and f64 accumulate in their own type")
        ->check(CLI::IsMember({"sum", "min", "max", "prod"}))
        ->capture_default_str();
  if (algorithm == array_algorithm::scan) command->add_flag("--exclusive", request->job.exclusive, "each value gets the fold of those before it");
  if (algorithm == array_algorithm::softmax) command->add_flag("--log", request->job.log, "the logarithm of softmax");
  command->callback([request, algorithm] { run_command(algorithm, *request); });
}

}  // namespace

void add_array_commands(CLI::App& app) {
  add_command(app, "softmax", "The softmax of each row of a .npy file", array_algorithm::softmax);
  add_command(app, "reduce", "Each row of a .npy file to one value", array_algorithm::reduce);
  add_command(app, "scan", "The running fold of each row of a .npy file", array_algorithm::scan);
}

}  // namespace muster::tool
