// The line of the source that an instruction was made of.
#pragma once

#include <muster/core/site.hpp>

namespace muster::racecheck {

// Of the instruction before `address`, as the program's debug information tells it to addr2line (binutils): of calls that were inlined, the innermost outside the library's
// own headers and the system's. Line 0 where nothing tells it. Cost: a process for each address that was not asked for before.
site line_of(void const* address);

}  // namespace muster::racecheck
