#include "tool/commands.hpp"

namespace muster::tool {

void add_commands(CLI::App& app) {
  add_demo(app);
  add_array_commands(app);
  add_show(app);
}

}  // namespace muster::tool
