// Where a command's kernels run.
#pragma once

#include <string>

namespace muster::tool {

enum class machine { emulator, device };

inline char const* name_of(machine m) { return m == machine::device ? "device" : "emulator"; }

// Why no kernel can run on a GPU here; empty if one can.
std::string why_no_device();

// The name of the GPU that kernels run on, with its compute capability; there must be one.
std::string device_name();

// "device", "emulator", or nothing: the GPU if there is one. Throws bad_input if a device is asked for and there is none.
machine choose_machine(std::string const& asked);

}  // namespace muster::tool
