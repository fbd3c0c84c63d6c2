// The place of a call in the user's source, carried by every collective so that the emulator can name it. Costs nothing in device code.
#pragma once

#include <muster/config.hpp>

namespace muster {

struct site {
  char const* file = "";
  int line = 0;
  unsigned call = 0;  // the algorithm that makes the call, with its operator and types (core/call_of.hpp); 0: none

  // As a default argument it is evaluated where the outer function is called.
  MUSTER_FN static constexpr site here(char const* file = __builtin_FILE(), int line = __builtin_LINE()) { return {file, line, 0}; }
};

}  // namespace muster
