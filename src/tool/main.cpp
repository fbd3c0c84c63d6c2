// The command-line tool: parses, runs one subcommand, and turns every error into one line and an exit code. The only source that includes CLI11, which takes
// longer to compile than all the rest that is not a kernel.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>

#include "tool/commands.hpp"
#include "tool/errors.hpp"
#include "tool/policy_names.hpp"

namespace muster::tool {
namespace {

// A whole number in decimal digits. CLI11 by itself wraps -1 to the largest number, stops there with what is larger still, and reads 010 as 8.
CLI::Validator whole_number(std::uint64_t lowest, std::uint64_t highest) {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        std::uint64_t value = 0;
        auto const parsed = std::from_chars(text.data(), text.data() + text.size(), value);
        bool const is_read = parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size() && value >= lowest && value <= highest;
        if (is_read) text = std::to_string(value);
        return is_read ? "" : "'" + text + "' is no whole number from " + std::to_string(lowest) + " to " + std::to_string(highest);
      },
      "");
}
CLI::Validator positive_number(std::uint64_t highest) { return whole_number(1, highest); }

constexpr std::uint64_t largest_size = std::numeric_limits<long long>::max();
constexpr std::uint64_t largest_int = std::numeric_limits<int>::max();

void add_demo(CLI::App& app) {
  auto* const command = app.add_subcommand("demo", "Reduce, scan and softmax by every policy, compared with float64");
  auto const request = std::make_shared<demo_request>();
  command->add_option("--on", request->on, "device or emulator; without it, the GPU if there is one")->check(CLI::IsMember({"device", "emulator"}));
  command->add_option("--seed", request->seed, "of the values and of the emulator's schedule")
      ->transform(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  command->callback([request] { run_demo(*request); });
}

void add_array_command(CLI::App& app, char const* name, char const* description, array_algorithm algorithm) {
  auto* const command = app.add_subcommand(name, description);
  auto const request = std::make_shared<array_request>();
  request->algorithm = algorithm;
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
  command->callback([request] { run_on_array(*request); });
}

void add_show(CLI::App& app) {
  auto* const command = app.add_subcommand("show", "Print the plan of an operation: rounds, who reads whom, and with which instruction");
  auto const request = std::make_shared<show_request>();
  command->add_option("operation", request->what, "reduce, inclusive_scan, exclusive_scan, shuffle_xor, shuffle_up, shuffle_down or broadcast")
      ->required()
      ->check(CLI::IsMember({"reduce", "inclusive_scan", "exclusive_scan", "shuffle_xor", "shuffle_up", "shuffle_down", "broadcast"}));
  command->add_option("--width", request->width, "lanes of a tile: 1, 2, 4, 8, 16 or 32")->transform(whole_number(0, largest_int))->capture_default_str();
  command->add_option("--lanes", request->lanes, "the members, as a set of the warp's lanes")->capture_default_str();
  command->add_option("--by", request->by, "the xor, the distance or the rank of a shuffle")->transform(whole_number(0, largest_int))->capture_default_str();
  command->callback([request] { show(*request); });
}

void add_plan(CLI::App& app) {
  auto* const command = app.add_subcommand("plan", "Print how softmax of rows would be done: who holds a row, with which accesses, in how many blocks");
  auto const request = std::make_shared<plan_request>();
  command->add_option("--rows", request->rows, "how many rows")->required()->transform(positive_number(largest_size));
  command->add_option("--cols", request->columns, "values of a row")->required()->transform(positive_number(largest_size));
  command->add_option("--type", request->type, "f32, f64, f16 or bf16")->check(CLI::IsMember({"f32", "f64", "f16", "bf16"}))->capture_default_str();
  command->add_option("--multiprocessors", request->multiprocessors, "of the GPU")->transform(positive_number(largest_int))->capture_default_str();
  command->add_flag("--no-workspace", request->without_workspace, "the call gets no workspace");
  command->callback([request] { show_plan(*request); });
}

void add_commands(CLI::App& app) {
  add_demo(app);
  add_array_command(app, "softmax", "The softmax of each row of a .npy file", array_algorithm::softmax);
  add_array_command(app, "reduce", "Each row of a .npy file to one value", array_algorithm::reduce);
  add_array_command(app, "scan", "The running fold of each row of a .npy file", array_algorithm::scan);
  add_show(app);
  add_plan(app);
}

// A command line that names no subcommand: what stands in its place, and the subcommands there are.
void tell_subcommands(CLI::App& app) {
  std::vector<std::string> const rest = app.remaining();
  std::string text = rest.empty() ? "muster: a subcommand is needed" : "muster: '" + rest.front() + "' is no subcommand";
  text += "; there are\n";
  for (CLI::App const* const each : app.get_subcommands([](CLI::App const*) { return true; })) {
    std::string const& name = each->get_name();
    text += "  " + name + std::string(name.size() < 10 ? 10 - name.size() : 1, ' ') + each->get_description() + "\n";
  }
  std::fputs((text + "Run with --help for more information, also after a subcommand.\n").c_str(), stderr);
}

// What is wrong, in one line. Of values that are missing or too many CLI11 speaks in its own terms.
std::string trouble_with(CLI::App const& app, CLI::ParseError const& error) {
  std::string const text = error.what();
  if (dynamic_cast<CLI::ExtrasError const*>(&error) != nullptr) {
    std::string const first = app.remaining(true).front();
    return "'" + first + (first.starts_with("-") ? "' is no option of it" : "' is one argument too many");
  }
  if (dynamic_cast<CLI::ArgumentMismatch const*>(&error) != nullptr)
    return text.substr(0, text.find(':')) + (text.find("At Most") != std::string::npos ? " is given more than once" : " needs a value");
  return text;
}

void tell_trouble(CLI::App const& app, CLI::ParseError const& error) {
  auto const chosen = app.get_subcommands();
  std::string const call = chosen.empty() ? "muster" : "muster " + chosen.front()->get_name();
  std::fputs((call + ": " + trouble_with(app, error) + "; " + call + " --help says what is accepted\n").c_str(), stderr);
}

}  // namespace
}  // namespace muster::tool

int main(int argc, char** argv) {
  CLI::App app{"Typed warp tiles: reduce, scan and softmax on a GPU or on the CPU emulator", "muster"};
  app.set_version_flag("--version", std::string{"muster "} + MUSTER_VERSION);
  app.require_subcommand(1);
  muster::tool::add_commands(app);
  try {
    app.parse(argc, argv);
  } catch (CLI::RequiredError const& error) {
    if (app.get_subcommands().empty()) muster::tool::tell_subcommands(app);
    else muster::tool::tell_trouble(app, error);
    return muster::tool::exit_bad_input;
  } catch (CLI::ParseError const& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // prints help or version
    muster::tool::tell_trouble(app, error);
    return muster::tool::exit_bad_input;
  } catch (muster::tool::bad_input const& error) {
    std::fprintf(stderr, "muster: %s\n", error.what());
    return muster::tool::exit_bad_input;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "muster: %s\n", error.what());
    return muster::tool::exit_failed;
  }
  return 0;
}
