// What collectives, the block's barrier and a lane's end tell the rolls (roll_call.cpp).
#pragma once

#include <cstdint>

#include "machine.hpp"

namespace muster::emulator::detail {

// The lane has come to a collective, or with a null key to the block's barrier, that `others` of its warp cannot pass without it: each open narrowing that one of them
// answered and it did not, it has passed by. Each of those is a finding, told once; unless findings are collected, the block is aborting afterwards.
void come_to(machine& block, lane& self, operation_key const* key, std::uint32_t others, site where);

// The lane has exited: what was open for its sake is complete.
void leave_rolls(machine& block, lane& self);

// The scope of these members that the lane goes into. Its number is the same for all of them, and for no other scope of the block's warp.
struct entered_scope {
  std::uint64_t number = 0;
  bool is_first = false;  // of its members
};
entered_scope scope_of(machine& block, lane& self, std::uint32_t members);

// What lanes that meet must have in common of it.
inline std::uint32_t context_of(std::uint64_t scope) { return scope == 0 ? 0 : static_cast<std::uint32_t>(mixed(scope)) | 1u; }

}  // namespace muster::emulator::detail
