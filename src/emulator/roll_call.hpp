// What collectives, the block's barrier and a lane's end tell the rolls (roll_call.cpp).
#pragma once

#include <cstdint>

#include "machine.hpp"

namespace muster::emulator::detail {

// The lane has come to a collective, or with a null key to the block's barrier, that `others` of its warp cannot pass without it: each open narrowing that one of them
// answered and it did not, it has passed by. Each of those is a finding, told once; unless findings are collected, the block is aborting afterwards.
void come_to(machine& block, lane& self, operation_key const* key, std::uint32_t others, site where);

// A lane of the warp has exited: what was open for its sake is complete.
void leave_rolls(machine& block, warp& home);

}  // namespace muster::emulator::detail
