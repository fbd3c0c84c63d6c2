// The functions that narrow a group without a vote, and what a caller says to one: names for the emulator's roll call.
#pragma once

#include <cstdint>

namespace muster {

// only_otherwise: only with a second body.
enum class narrowing_kind : std::uint8_t { only, only_rank, branch, each_tile, loop_while, invoke_one, only_warp, for_warps, only_otherwise };

// The caller came, and on a condition that is uniform also which way it goes.
enum class roll_answer : std::uint8_t { here, no, yes };

}  // namespace muster
