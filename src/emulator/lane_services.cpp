// What a lane asks of the emulator besides collectives: where it stands, its scopes, poison, and the block's memory.
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "branch_counts.hpp"
#include "diagnosis.hpp"
#include "machine.hpp"
#include "report.hpp"
#include "roll_call.hpp"

namespace muster::emulator {

namespace detail {
namespace {

bool is_open(lane const& self, std::uint64_t scope) {
  lane_details const& more = *self.details;
  if (more.scope_number == scope) return true;
  for (std::uint32_t depth = 0; depth < more.scope_depth && depth < lane_details::shallow; ++depth) {
    if (more.outer_scopes[depth].number == scope) return true;
  }
  for (open_scope const& each : more.deeper_scopes) {
    if (each.number == scope) return true;
  }
  return false;
}

}  // namespace
}  // namespace detail

using detail::current_lane;

position const& here() { return current_lane().self->details->place; }

int lanes_in_warp() { return std::popcount(current_lane().self->home->existing); }

void enter_scope(std::uint32_t members, site where) {
  auto const [block, self] = current_lane();
  if (block->aborting) return block->end_lane(*self);
  if ((members & self->bit) == 0 || (members & ~self->scope) != 0) {
    detail::report_scope_outside_scope(*block, *self, members, where);
    if (block->aborting) return block->leave_aborted(*self);
  }
  detail::lane_details& more = *self->details;
  detail::open_scope const outer{self->scope, more.scope_number};
  auto const [number, is_first] = detail::scope_of(*block, *self, members);
  if (block->job->settings.branches != nullptr) detail::count(block->branches, where, is_first ? 1 : 0, 1);
  if (more.scope_depth < detail::lane_details::shallow) {
    more.outer_scopes[more.scope_depth] = outer;
  } else {
    more.deeper_scopes.push_back(outer);
  }
  ++more.scope_depth;
  self->scope = members;
  self->context = detail::context_of(number);
  more.scope_number = number;
}

void leave_scope() {
  auto const [block, self] = current_lane();
  detail::lane_details& more = *self->details;
  if (block->aborting || more.scope_depth == 0) return;
  --more.scope_depth;
  detail::open_scope outer;
  if (more.scope_depth < detail::lane_details::shallow) {
    outer = more.outer_scopes[more.scope_depth];
  } else {
    outer = more.deeper_scopes.back();
    more.deeper_scopes.pop_back();
  }
  self->scope = outer.members;
  self->context = detail::context_of(outer.number);
  more.scope_number = outer.number;
}

void require_no_scope(char const* call, site where) {
  auto const [block, self] = current_lane();
  if (block->aborting) return block->end_lane(*self);
  if (self->details->scope_depth == 0) return;
  detail::report_call_in_scope(*block, *self, call, where);
  if (block->aborting) block->leave_aborted(*self);
}

birth_mark mark_birth(std::uint32_t membermask) {
  auto const [block, self] = current_lane();
  return {block->block_serial, self->details->scope_number, membermask, self->thread};
}

void check_birth(birth_mark const& born, std::uint32_t membermask, site where) {
  auto const [block, self] = current_lane();
  if (block->aborting) return block->end_lane(*self);
  bool const is_own = born.block == block->block_serial && born.thread == self->thread;
  bool const is_open = is_own && detail::is_open(*self, born.scope);
  if (is_open && born.membermask == membermask) return;
  detail::report_expired(*block, *self, born, membermask, is_own, is_open, where);
  if (block->aborting) block->leave_aborted(*self);
}

bool check_rank(int rank, int members, site where) {
  if (rank >= 0 && rank < members) return true;
  auto const [block, self] = current_lane();
  if (block->aborting) return block->end_lane(*self), false;
  detail::report_rank(*block, *self, rank, members, where);
  if (block->aborting) block->leave_aborted(*self);
  return false;
}

void check_in_shared_memory(void const* object, std::size_t bytes, std::size_t alignment, site where) {
  auto const [block, self] = current_lane();
  if (block->aborting) return block->end_lane(*self);
  bool const is_shared = block->place_in_shared(object, bytes) != detail::machine::nowhere;
  if (is_shared && reinterpret_cast<std::uintptr_t>(object) % alignment == 0) return;
  is_shared ? detail::report_storage_misaligned(*block, *self, alignment, where) : detail::report_storage_not_shared(*block, *self, object, where);
  block->abort_block();
  block->leave_aborted(*self);
}

company company_of_launch() { return current_lane().block->job->together; }

void fail(char const* reason, site where) { throw std::runtime_error(std::string(reason) + ", " + detail::site_text(where)); }

void poison(void* object, std::size_t bytes) { detail::fill_poison(current_lane().block->poisons, object, bytes); }

void* shared_memory() { return current_lane().block->shared; }
void* dynamic_shared_memory() { return current_lane().block->dynamic_shared; }
std::size_t dynamic_shared_bytes() { return current_lane().block->job->dynamic_shared_bytes; }

}  // namespace muster::emulator
