// `muster plan`: which kernel device::softmax takes for rows, and why it fits, without running anything.
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

#include <muster/device/softmax_plan.hpp>

#include "tool/commands.hpp"
#include "tool/errors.hpp"

namespace muster::tool {

void show_plan(plan_request const& request) {
  device::row_machine const on{request.multiprocessors, !request.without_workspace};
  auto const plan = [&]<class T>(T) {
    try {
      return device::plan_for<T>(request.rows, request.columns, on);
    } catch (std::invalid_argument const& error) {
      throw bad_input(error.what());
    }
  };
  // A plan knows a type by its size: both of 16 bits are read alike, and need no toolkit's header here.
  device::row_plan const chosen = request.type == "f32" ? plan(float{}) : request.type == "f64" ? plan(double{}) : plan(std::uint16_t{});
  std::puts(chosen.text().c_str());
}

}  // namespace muster::tool
