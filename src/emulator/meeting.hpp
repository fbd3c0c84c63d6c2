// The barrier of blocks that run at once: of a cluster, or of a grid.
#pragma once

#include <cstdint>
#include <vector>

#include <muster/core/block_company.hpp>
#include <muster/core/extent.hpp>
#include <muster/core/site.hpp>
#include <muster/emulator/runtime.hpp>

namespace muster::emulator::detail {

class machine;

inline constexpr int meetings = 2;  // a block can be in one of each company

// What the first thread showed as the result of a fold that all share. Between two of them is a barrier, so two are kept.
struct shared_result {
  std::uint64_t number = 0;  // of the fold, from 1
  std::uint64_t digest = 0;
  int thread = 0;
  extent block{0, 0, 0};
};

struct meeting {
  block_company which{};
  std::vector<machine*> blocks;  // by their rank
  std::uint64_t lanes = 0;       // of all blocks
  std::uint64_t live = 0;
  std::uint64_t arrived = 0;
  std::uint64_t completed = 0;   // barriers, of whatever kind: before the first a block may not have begun
  shared_result results[2];
  block_call met_in;  // what the first came for, and where
  site met_at;
};

// All that have not exited have come: they can run again. `here` is the machine that runs.
void complete_meeting(machine& here, meeting& met);

// A lane of the block has exited.
void leave_meetings(machine& here);

}  // namespace muster::emulator::detail
