// The tool's subcommands. Each add_* function declares one's options and, as the callback, its work.
#pragma once

// CLI11 takes seconds to compile: only the files that use it include it.
namespace CLI {
class App;
}

namespace muster::tool {

void add_demo(CLI::App& app);
void add_array_commands(CLI::App& app);  // softmax, reduce, scan
void add_show(CLI::App& app);

void add_commands(CLI::App& app);

}  // namespace muster::tool
