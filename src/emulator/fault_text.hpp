// What a lane did that the processor does not let pass, in words.
#pragma once

#include <signal.h>

#include "machine.hpp"

namespace muster::emulator::detail {

// Of this signal with what its handler was given: an access, an integer division, a trap. Writes to stderr; for a signal handler.
void tell_of_fault(machine const& block, lane const& self, int signal, siginfo_t const& what, void const* context);

// Whether it is because the lane's stack is full.
bool is_full_stack(machine const& block, lane const& self, int signal, siginfo_t const& what, void const* context);

}  // namespace muster::emulator::detail
