// Which warps have come to the narrowings of their block since its last barrier.
#include "block_roll_call.hpp"

#include <cstddef>
#include <cstdint>

#include <muster/core/lane_set.hpp>

#include "diagnosis.hpp"

namespace muster::emulator::detail {
namespace {

// The warp that a narrowing of the block hands on to; -1: to all.
int acting_warp(operation_key key) {
  int const number = static_cast<int>(key.narrowing_number());
  return key.narrowing() == narrowing_kind::only_warp ? number : key.narrowing() == narrowing_kind::only_rank ? number / warp_size : -1;
}

std::uint32_t warps_with_live_lanes(machine& block) {
  std::uint32_t found = 0;
  for (int number = 0; number < block.warp_count(); ++number) found |= block.warps[static_cast<std::size_t>(number)].live != 0 ? 1u << number : 0;
  return found;
}

// No warp will come to it any more. Those that have exited were not waited for.
void tell_absent_warps(machine& block, roll_entry const& called) {
  std::uint32_t const absent = lane_set::range(0, block.warp_count()).bits & ~called.arrived, passed = absent & warps_with_live_lanes(block);
  int const acting = acting_warp(called.key);
  if (passed != 0) report_warps_passed_by(block, called, passed);
  else if (acting >= 0 && (acting >= block.warp_count() || (absent >> acting & 1u) != 0)) report_acting_warp_absent(block, called, acting);
  else if (absent != 0) note_warps_exited(block, called, absent);
}

}  // namespace

void answer_for_warp(machine& block, lane& self, operation_key key, site where) {
  block_roll& called = block.narrowings;
  std::size_t const place = self.details->block_narrowings++;
  if (place < called.first) return;
  if (place == called.first + called.entries.size()) called.entries.push_back({key, 0, 0, 0, where, 0});
  roll_entry& here = called.entries[place - called.first];
  std::uint32_t const bit = 1u << self.home->number;
  if (here.key != key) report_different_block_narrowing(block, self, here, key, where);
  if ((here.arrived & bit) == 0) {
    here.arrived |= bit;
    std::uint32_t const alive = warps_with_live_lanes(block);
    for (; !called.entries.empty() && (alive & ~called.entries.front().arrived) == 0 && !block.aborting; ++called.first) {
      tell_absent_warps(block, called.entries.front());
      called.entries.pop_front();
    }
  }
  if (block.aborting) block.leave_aborted(self);
}

void end_block_roll(machine& block) {
  block_roll& called = block.narrowings;
  if (called.first == 0 && called.entries.empty()) return;
  for (; !called.entries.empty() && !block.aborting; called.entries.pop_front()) tell_absent_warps(block, called.entries.front());
  called.start();
  for (int thread = 0; thread < block.lanes_in_block; ++thread) block.details[static_cast<std::size_t>(thread)].block_narrowings = 0;
}

}  // namespace muster::emulator::detail
