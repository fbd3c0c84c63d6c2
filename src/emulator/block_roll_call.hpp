// Narrowings of a whole block: what lanes are to a warp's roll (roll_call.hpp), warps are to the block's.
#pragma once

#include "machine.hpp"
#include "operation_key.hpp"

namespace muster::emulator::detail {

// A lane has come to a narrowing of the block. A warp has when its first lane has; the warp's own roll watches over its others.
void answer_for_warp(machine& block, lane& self, operation_key key, site where);

// All threads of the block that have not exited are at its barrier, or all have exited: a narrowing of the block that some warp has not come to, it has passed by.
void end_block_roll(machine& block);

}  // namespace muster::emulator::detail
