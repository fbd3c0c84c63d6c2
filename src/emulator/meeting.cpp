// Blocks that run at once: their barriers, and each other's shared memory.
#include "meeting.hpp"

#include <cstddef>
#include <cstdint>

#include "block_roll_call.hpp"
#include "diagnosis.hpp"
#include "diagnosis_of_meetings.hpp"
#include "machine.hpp"
#include "roll_call.hpp"
#include "shared_memory.hpp"

namespace muster::emulator {
namespace detail {
namespace {

// A barrier orders the memory of all its blocks, and an exchange of values the bytes that they are exchanged in: its waits acquire what the senders released, and that is
// those values (backend/blocks.hpp).
void order_accesses(machine& block, block_call const& met_in) {
  if (block.accesses == nullptr) return;
  if (met_in.what == nullptr) return block.accesses->sync_blocks();
  if (met_in.bytes == 0) return;
  std::size_t const place = block.place_in_shared(block.shared + reinterpret_cast<std::intptr_t>(met_in.memory), met_in.bytes);
  if (place != machine::nowhere) block.accesses->order_bytes(place, met_in.bytes);
}

}  // namespace

void complete_meeting(machine& here, meeting& met) {
  if (met.live != met.lanes) report_meeting_of_fewer(met);
  for (machine* const block : met.blocks) find_overruns(*block, shared_memory::extent_of_search::near, met.met_at, company_text(met));
  if (here.aborting) return;
  int const which = static_cast<int>(met.which);
  for (machine* const block : met.blocks) {
    end_block_roll(*block);
    order_accesses(*block, met.met_in);
    for (int number = 0; number < block->warp_count(); ++number) {
      warp& home = block->warps[static_cast<std::size_t>(number)];
      if (home.at_meeting[which] != 0) block->ready.add(home.first_thread, home.at_meeting[which]);
      home.at_meeting[which] = 0;
    }
  }
  met.arrived = 0;
  ++met.completed;
}

void leave_meetings(machine& here) {
  for (meeting* const met : here.meets) {
    if (met == nullptr) continue;
    --met->live;
    if (met->arrived != 0 && met->arrived == met->live) complete_meeting(here, *met);
  }
  // Others may no longer reach what this block had: what they find there is not what it wrote.
  if (here.live_count != 0 || here.aborting) return;
  fill_poison(here.poisons, here.shared, here.job->shared_bytes);
  fill_poison(here.poisons, here.dynamic_shared, here.job->dynamic_shared_bytes);
}

}  // namespace detail

void meet_blocks(block_company which, block_call call, site where) {
  auto const [block, self] = detail::current_lane();
  if (block->aborting) return block->end_lane(*self);
  detail::meeting* const met = block->meets[static_cast<int>(which)];
  if (met == nullptr) fail("the blocks of this launch do not run at once, so they cannot wait for each other", where);
  if (self->context != 0) [[unlikely]] {
    detail::report_call_in_scope(*block, *self, detail::meeting_text(*met), where);
    if (block->aborting) return block->leave_aborted(*self);
  }
  if ((self->home->called & self->bit) != 0) {
    detail::come_to(*block, *self, nullptr, all_lanes.bits, where);
    if (block->aborting) return block->leave_aborted(*self);
  }
  if (call.memory != nullptr) call.memory = reinterpret_cast<void const*>(static_cast<unsigned char const*>(call.memory) - block->shared);
  if (met->arrived == 0) {
    met->met_in = call;
    met->met_at = where;
  } else if (call != met->met_in) [[unlikely]] {
    detail::report_different_meeting(*block, *self, *met, where);
    if (block->aborting) return block->leave_aborted(*self);
  } else if (std::uint32_t const waiting = self->home->at_meeting[static_cast<int>(which)]; detail::waits_elsewhere(*block, *self, waiting, where)) [[unlikely]] {
    detail::report_barrier_in_two_places(*block, *self, waiting, detail::meeting_text(*met), where);
    if (block->aborting) return block->leave_aborted(*self);
  }
  self->home->at_meeting[static_cast<int>(which)] |= self->bit;
  self->where = where;
  block->idle_yields = 0;
  if (++met->arrived == met->live) {
    detail::complete_meeting(*block, *met);
    if (block->aborting) [[unlikely]]
      return block->leave_aborted(*self);
  }
  block->wait(*self);
}

void* shared_of_block(void* own, unsigned rank, site where) {
  auto const [block, self] = detail::current_lane();
  if (block->aborting) return block->end_lane(*self), own;
  detail::meeting* const met = block->meets[static_cast<int>(block_company::cluster)];
  if (met == nullptr || rank >= met->blocks.size()) fail("shared_of: the caller's cluster has no such block", where);
  detail::machine& other = *met->blocks[rank];
  std::size_t const place = block->place_in_shared(own, 1);
  if (place == detail::machine::nowhere)
    fail(
        "shared_of(cluster, own, rank): own does not lie in the block's shared memory; name a member of the kernel's `shared`, or dynamic "
        "shared memory",
        where);
  detail::meeting const* const grid = block->meets[static_cast<int>(block_company::grid)];
  bool const have_begun = met->completed != 0 || (grid != nullptr && grid->completed != 0) || &other == block;
  char const* const why = !have_begun             ? "need not have begun: let every block wait at a cluster barrier before the first access"
                          : other.live_count == 0 ? "has ended: let every block wait at a cluster barrier after the last access"
                                                  : nullptr;
  if (why != nullptr) detail::report_block_out_of_reach(*block, *self, other, why, where);
  if (block->aborting) block->leave_aborted(*self);
  return other.at_place(place);
}

}  // namespace muster::emulator
