// Exit codes, and the exception that says that the user's input is at fault.
#pragma once

#include <stdexcept>

namespace muster::tool {

inline constexpr int exit_failed = 1;     // the work failed: a launch error, a result that is wrong
inline constexpr int exit_bad_input = 2;  // the command line or a file is at fault

// The user's input is at fault: one line, exit_bad_input.
struct bad_input : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace muster::tool
