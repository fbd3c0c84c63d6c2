#include "tool/machine.hpp"

#include "tool/errors.hpp"

namespace muster::tool {

machine choose_machine(std::string const& asked) {
  if (asked == "emulator") return machine::emulator;
  std::string const reason = why_no_device();
  if (asked == "device" && !reason.empty()) throw bad_input("--on device: " + reason);
  return reason.empty() ? machine::device : machine::emulator;
}

}  // namespace muster::tool
