// What a lane asks of the emulator besides collectives: where it stands, its scopes, poison, and the block's memory.
#include <bit>
#include <stdexcept>
#include <string>

#include "diagnosis.hpp"
#include "machine.hpp"
#include "report.hpp"

namespace muster::emulator {

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
  if (self->scope_depth < detail::lane_details::shallow) {
    self->details->outer_scopes[self->scope_depth] = self->scope;
  } else {
    self->details->deeper_scopes.push_back(self->scope);
  }
  ++self->scope_depth;
  self->scope = members;
}

void leave_scope() {
  auto const [block, self] = current_lane();
  if (block->aborting || self->scope_depth == 0) return;
  --self->scope_depth;
  if (self->scope_depth < detail::lane_details::shallow) {
    self->scope = self->details->outer_scopes[self->scope_depth];
  } else {
    self->scope = self->details->deeper_scopes.back();
    self->details->deeper_scopes.pop_back();
  }
}

bool check_rank(int rank, int members, site where) {
  if (rank >= 0 && rank < members) return true;
  auto const [block, self] = current_lane();
  if (block->aborting) return block->end_lane(*self), false;
  detail::report_rank(*block, *self, rank, members, where);
  if (block->aborting) block->leave_aborted(*self);
  return false;
}

void fail(char const* reason, site where) { throw std::runtime_error(std::string(reason) + ", " + detail::site_text(where)); }

void poison(void* object, std::size_t bytes) { detail::fill_poison(current_lane().block->poisons, object, bytes); }

void* shared_memory() { return current_lane().block->shared; }
void* dynamic_shared_memory() { return current_lane().block->dynamic_shared; }
std::size_t dynamic_shared_bytes() { return current_lane().block->job->dynamic_shared_bytes; }

}  // namespace muster::emulator
