// The tool's subcommands. Each add_* function declares one's options and, as the callback, its work.
#pragma once

#include <CLI/CLI.hpp>

#include "tool/errors.hpp"

namespace muster::tool {

void add_demo(CLI::App& app);
void add_array_commands(CLI::App& app);  // softmax, reduce, scan
void add_show(CLI::App& app);

void add_commands(CLI::App& app);

}  // namespace muster::tool
