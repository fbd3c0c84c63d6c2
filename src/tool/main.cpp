// The command-line tool: parses, runs one subcommand, and turns every error into one line and an exit code.
#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>

#include "tool/commands.hpp"
#include "tool/errors.hpp"

int main(int argc, char** argv) {
  CLI::App app{"Typed warp tiles: reduce, scan and softmax on a GPU or on the CPU emulator", "muster"};
  app.set_version_flag("--version", std::string{"muster "} + MUSTER_VERSION);
  app.require_subcommand(1);
  muster::tool::add_commands(app);
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    int const code = app.exit(error);  // prints help, version or what is wrong
    return code == 0 ? 0 : muster::tool::exit_bad_input;
  } catch (muster::tool::bad_input const& error) {
    std::fprintf(stderr, "muster: %s\n", error.what());
    return muster::tool::exit_bad_input;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "muster: %s\n", error.what());
    return muster::tool::exit_failed;
  }
  return 0;
}
