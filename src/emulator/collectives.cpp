// The collectives as a lane calls them: its arrival, which is the path that must be short.
#include <bit>
#include <cstring>
#include <stdexcept>

#include "diagnosis.hpp"
#include "machine.hpp"
#include "roll_call.hpp"

namespace muster::emulator {
namespace detail {
namespace {

// What can be found wrong before the lane waits. Returns whether it may take part at all.
[[gnu::noinline]] bool may_take_part(machine& block, lane& self, std::uint32_t mask, operation_key key, site where) {
  if (block.aborting) {
    block.end_lane(self);
    return false;
  }
  if ((mask & self.bit) == 0) {
    report_caller_not_in_set(block, self, mask, key, where);
  } else {
    report_outside_scope(block, self, mask, key, where);
  }
  if (block.aborting) {
    block.leave_aborted(self);
    return false;
  }
  return (mask & self.bit) != 0;
}

// Two lanes that each wait for the other's arrival, in different operations or with different masks, wait for ever.
[[gnu::noinline]] void refuse_company(machine& block, lane& self, rendezvous const& other, std::uint32_t mask, operation_key key, site where) {
  if (other.mask == mask) {
    report_different_operation(block, self, other, key, where);
  } else {
    report_different_mask(block, self, other, mask, key, where);
  }
  block.abort_block();
  block.leave_aborted(self);
}

// The rendezvous of this collective, opened if need be; null when the lane had to leave.
[[gnu::noinline]] rendezvous* find_rendezvous(machine& block, lane& self, std::uint32_t mask, operation_key key, site where) {
  warp& home = *self.home;
  for (std::uint32_t left = home.occupied; left != 0; left &= left - 1) {
    rendezvous& known = home.pending[std::countr_zero(left)];
    if (known.mask != mask) continue;
    if (known.key == key && known.context == (self.context ^ where.call)) return &known;
    refuse_company(block, self, known, mask, key, where);
    return nullptr;
  }
  int const own = std::countr_zero(mask);
  int const slot = (home.occupied >> own & 1u) == 0 ? own : std::countr_one(home.occupied);
  home.pending[slot] = {key, mask, 0, 0, self.context ^ where.call};
  home.occupied |= 1u << slot;
  return &home.pending[slot];
}

// Lanes of this mask wait elsewhere, or this lane has not come to a narrowing that others have. That is legal unless one of the former waits for this lane, or one of the
// latter is of this mask too; returns whether the lane may wait.
[[gnu::noinline]] bool may_wait(machine& block, lane& self, std::uint32_t mask, operation_key key, site where) {
  warp& home = *self.home;
  if ((home.called & self.bit) != 0) {
    come_to(block, self, &key, mask, where);
    if (block.aborting) {
      block.leave_aborted(self);
      return false;
    }
  }
  for (std::uint32_t left = home.occupied; left != 0; left &= left - 1) {
    rendezvous const& other = home.pending[std::countr_zero(left)];
    if (other.mask == mask || (other.mask & self.bit) == 0 || (other.arrived & mask) == 0) continue;
    refuse_company(block, self, other, mask, key, where);
    return false;
  }
  return true;
}

// Finds the rendezvous that this arrival belongs to, or opens it; null when the lane does not take part.
[[gnu::always_inline]] inline rendezvous* arrive(machine& block, lane& self, warp& home, std::uint32_t mask, operation_key key, site const& where) {
  if (((mask & ~self.scope) | (~mask & self.bit)) != 0) [[unlikely]] {
    if (!may_take_part(block, self, mask, key, where)) return nullptr;
  }
  rendezvous* here = &home.pending[__builtin_ctz(mask)];  // the caller is in it
  if (here->mask != mask || here->key != key || here->context != (self.context ^ where.call)) [[unlikely]] {
    here = find_rendezvous(block, self, mask, key, where);
    if (here == nullptr) return nullptr;
  }
  if (((home.waiting & mask & ~here->arrived) | (home.called & self.bit)) != 0) [[unlikely]] {
    if (!may_wait(block, self, mask, key, where)) return nullptr;
  }
  here->arrived |= self.bit;
  home.waiting |= self.bit;
  self.where.file = where.file;
  self.where.line = where.line;
  self.where.call = where.call;
  block.idle_yields = 0;
  return here;
}

// After the lane has left its operands: it waits, unless it is the last. `next` was picked early.
[[gnu::always_inline]] inline void meet(machine& block, lane& self, warp& home, rendezvous& here, int next) {
  if ((here.mask & home.live & ~here.arrived) == 0) [[unlikely]] {
    block.complete(home, here);
    if (next >= 0) block.ready.put_back(next);
    next = -1;
    if (block.aborting) [[unlikely]] return block.leave_aborted(self);
  }
  if (next < 0) [[unlikely]] return block.wait(self);
  block.wait_for(self, next);
}

[[gnu::always_inline]] inline std::uint64_t loaded(void const* from, std::size_t bytes) {
  std::uint64_t word = 0;
  if (bytes == 4) {
    std::uint32_t half;
    std::memcpy(&half, from, 4);
    word = half;
  } else if (bytes == 8) {
    std::memcpy(&word, from, 8);
  } else {
    std::memcpy(&word, from, bytes);
  }
  return word;
}

[[gnu::always_inline]] inline void stored(std::uint64_t word, void* to, std::size_t bytes) {
  if (bytes == 4) {
    auto const half = static_cast<std::uint32_t>(word);
    std::memcpy(to, &half, 4);
  } else if (bytes == 8) {
    std::memcpy(to, &word, 8);
  } else {
    std::memcpy(to, &word, bytes);
  }
}

// What a lane that takes no part receives.
std::uint32_t left_out(machine& block, int next) {
  if (next >= 0) block.ready.put_back(next);
  std::uint32_t word;
  fill_poison(block.poisons, &word, sizeof word);
  return word;
}

// A collective whose operand is at most a predicate.
[[gnu::always_inline]] inline std::uint32_t vote(operation kind, std::uint32_t mask, bool predicate, site where) {
  auto const [block, self] = current_lane();
  int const next = block->pick_early();
  warp& home = *self->home;
  rendezvous* const here = arrive(*block, *self, home, mask, kind, where);
  if (here == nullptr) [[unlikely]] return left_out(*block, next);
  here->marked |= predicate ? self->bit : 0;
  meet(*block, *self, home, *here, next);
  return static_cast<std::uint32_t>(home.result[self->number]);
}

// A collective whose operand is a value that stays at home: its result is a word.
[[gnu::always_inline]] inline std::uint32_t compare(operation_key key, std::uint32_t mask, void const* value, site where) {
  auto const [block, self] = current_lane();
  int const next = block->pick_early();
  warp& home = *self->home;
  rendezvous* const here = arrive(*block, *self, home, mask, key, where);
  if (here == nullptr) [[unlikely]] return left_out(*block, next);
  if (key.bytes() <= inline_bytes) {
    home.value[self->number] = loaded(value, key.bytes());
  } else {
    self->in = value;
  }
  meet(*block, *self, home, *here, next);
  return static_cast<std::uint32_t>(home.result[self->number]);
}

// The shuffle of values that fit the warp's slots, or of larger ones. `where` is a reference so that its parts are read singly: read at once they
// would wait until both stores of the caller have left the store buffer.
template <bool FitsSlot>
[[gnu::always_inline]] inline bool exchange(shuffle_mode mode, std::uint32_t mask, void const* in, void* out, std::size_t bytes, unsigned b, unsigned c,
                                            site const& where) {
  auto const [block, self] = current_lane();
  int const next = block->pick_early();
  warp& home = *self->home;
  int const number = self->number;
  auto const [source, in_range] = source_of(mode, number, b, c);
  rendezvous* const here = arrive(*block, *self, home, mask, {operation::shuffle, static_cast<unsigned>(mode), bytes}, where);
  if (here == nullptr) [[unlikely]] {
    left_out(*block, next);
    fill_poison(block->poisons, out, bytes);
    return in_range;
  }
  if ((mask >> source & 1u) == 0) [[unlikely]] here->marked |= self->bit;
  home.source[number] = static_cast<std::uint8_t>(source);
  if constexpr (FitsSlot) {
    home.value[number] = loaded(in, bytes);
    meet(*block, *self, home, *here, next);
    stored(home.result[number], out, bytes);
  } else {
    self->in = in;
    self->out = out;
    meet(*block, *self, home, *here, next);
  }
  return in_range;
}

[[gnu::noinline]] bool exchange_large(shuffle_mode mode, std::uint32_t mask, void const* in, void* out, std::size_t bytes, unsigned b, unsigned c,
                                      site where) {
  return exchange<false>(mode, mask, in, out, bytes, b, c, where);
}

}  // namespace
}  // namespace detail

using detail::operation;

bool shuffle(shuffle_mode mode, std::uint32_t membermask, void const* in, void* out, std::size_t bytes, unsigned b, unsigned c, site where) {
  if (bytes > detail::inline_bytes) [[unlikely]] return detail::exchange_large(mode, membermask, in, out, bytes, b, c, where);
  switch (mode) {
    case shuffle_mode::bfly: return detail::exchange<true>(shuffle_mode::bfly, membermask, in, out, bytes, b, c, where);
    case shuffle_mode::down: return detail::exchange<true>(shuffle_mode::down, membermask, in, out, bytes, b, c, where);
    case shuffle_mode::up: return detail::exchange<true>(shuffle_mode::up, membermask, in, out, bytes, b, c, where);
    case shuffle_mode::idx: break;
  }
  return detail::exchange<true>(shuffle_mode::idx, membermask, in, out, bytes, b, c, where);
}

std::uint32_t ballot(std::uint32_t membermask, bool predicate, site where) {
  return detail::vote(operation::ballot, membermask, predicate, where);
}

bool any(std::uint32_t membermask, bool predicate, site where) { return detail::vote(operation::any, membermask, predicate, where) != 0; }

bool all(std::uint32_t membermask, bool predicate, site where) { return detail::vote(operation::all, membermask, predicate, where) != 0; }

void sync_warp(std::uint32_t membermask, site where) { detail::vote(operation::sync_warp, membermask, false, where); }

std::uint32_t match_any(std::uint32_t membermask, void const* value, std::size_t bytes, site where) {
  return detail::compare({operation::match_any, 0, bytes}, membermask, value, where);
}

std::uint32_t match_all(std::uint32_t membermask, void const* value, std::size_t bytes, site where) {
  return detail::compare({operation::match_all, 0, bytes}, membermask, value, where);
}

std::uint32_t redux(redux_operation op, std::uint32_t membermask, std::uint32_t value, site where) {
  return detail::compare({operation::redux, static_cast<unsigned>(op), sizeof value}, membermask, &value, where);
}

void check_uniform(std::uint32_t membermask, int width, void const* value, std::size_t bytes, site where) {
  if (width < 1 || width > warp_size) throw std::invalid_argument("muster emulator: check_uniform: width must be 1 to 32");
  detail::compare({operation::check_uniform, static_cast<unsigned>(width), bytes}, membermask, value, where);
}

void sync_block(site where) { meet_block({}, where); }

void meet_block(block_call call, site where) {
  auto const [block, self] = detail::current_lane();
  if (self->context != 0 || block->aborting) [[unlikely]] {
    if (block->aborting) return block->end_lane(*self);
    detail::report_call_in_scope(*block, *self, call.what == nullptr ? "block barrier" : "block algorithm", where);
    if (block->aborting) return block->leave_aborted(*self);
  }
  if ((self->home->called & self->bit) != 0) {
    detail::come_to(*block, *self, nullptr, all_lanes.bits, where);
    if (block->aborting) return block->leave_aborted(*self);
  }
  if (block->barrier_count == 0) {
    block->met_in = call;
    block->met_at = where;
  } else if (call != block->met_in) [[unlikely]] {
    detail::report_different_block_call(*block, *self, where);
    if (block->aborting) return block->leave_aborted(*self);
  } else if (detail::waits_elsewhere(*block, *self, self->home->at_barrier, where)) [[unlikely]] {
    detail::report_barrier_in_two_places(*block, *self, self->home->at_barrier, call.what == nullptr ? "block barrier" : "block algorithm", where);
    if (block->aborting) return block->leave_aborted(*self);
  }
  self->home->at_barrier |= self->bit;
  self->where = where;
  block->idle_yields = 0;
  if (++block->barrier_count == block->live_count) {
    block->complete_barrier();
    if (block->aborting) [[unlikely]] return block->leave_aborted(*self);
  }
  block->wait(*self);
}

}  // namespace muster::emulator
