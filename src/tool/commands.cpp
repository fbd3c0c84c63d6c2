#include "tool/commands.hpp"

namespace muster::tool {

void add_commands(CLI::App&) {}

}  // namespace muster::tool
