// Narrowing without a vote, as the emulator sees it: members say that they came and go on. Who stayed away is known once it has come to a collective, or to the block's
// barrier, at which a member that did answer cannot have been: that one answered before, so in its order the narrowing stands first.
#include "roll_call.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "diagnosis.hpp"
#include "machine.hpp"
#include "report.hpp"

namespace muster::emulator {
namespace detail {
namespace {

// A lane this far ahead of the slowest lets others run, so that a long loop of narrowings does not fill the memory. It does not wait for them.
constexpr std::size_t far_ahead = 4096;

// Takes complete entries off the front of a roll. What is complete without some lanes is so because those have exited.
void retire(machine& block, warp& home, roll& called) {
  while (!called.is_complete()) {
    roll_entry const& front = called.entries[called.head];
    if ((called.mask & home.live & ~front.arrived) != 0) break;
    if ((called.mask & ~front.arrived) != 0) note_narrowing_relies_on_exit(block, home, front, called.mask);
    ++called.head;
  }
  if (called.head >= far_ahead && called.head * 2 >= called.entries.size()) {
    called.entries.erase(called.entries.begin(), called.entries.begin() + static_cast<std::ptrdiff_t>(called.head));
    for (std::size_t& each : called.next) each -= std::min(each, called.head);
    called.head = 0;
  }
}

// Gives back the rolls that are complete, and notes who is missing in the others.
void tidy(machine& block, warp& home) {
  roll_list& all = block.rolls[static_cast<std::size_t>(home.number)];
  home.called = 0;
  for (std::size_t i = all.open_count; i-- > 0;) {
    roll& each = all.rolls[i];
    retire(block, home, each);
    if (each.is_complete()) {
      std::swap(each, all.rolls[--all.open_count]);
    } else {
      home.called |= each.mask & home.live & ~each.entries[each.head].arrived;  // nobody else is missing later
    }
  }
}

// Puts a lane behind an entry, as if it had come to those before.
void move_behind(roll& called, int lane, std::size_t entry) {
  std::size_t& next = called.next[lane];
  for (; next <= entry; ++next) called.entries[next].arrived |= 1u << lane;
}

// The entry that a lane comes to: its next one, opened if need be. Another function than the others called there is a finding; then the lane has perhaps left one out.
roll_entry& come(machine& block, lane& self, roll& called, operation_key key, site where) {
  std::size_t& next = called.next[self.number];
  if (next == called.entries.size()) {
    called.entries.push_back({key, 0, 0, 0, where});
  } else if (called.entries[next].key != key) {
    report_different_narrowing(block, self, called.entries[next], called.mask, key, where);
    std::size_t later = next + 1;
    while (later < called.entries.size() && called.entries[later].key != key) ++later;
    if (later < called.entries.size()) move_behind(called, self.number, later - 1);
  }
  roll_entry& here = called.entries[next++];
  here.arrived |= self.bit;
  return here;
}

// A condition whose type says that it is uniform: within a tile all go where the first one went.
void compare_choice(machine& block, lane& self, roll_entry& here, std::uint32_t mask, bool choice, site where) {
  int const width = here.key.narrowing_width();
  std::uint32_t const tile = lane_set::range(self.number & ~(width - 1), width).bits & here.arrived & ~self.bit & ~here.differing;
  if (choice) here.chosen |= self.bit;
  if (tile == 0 || ((here.chosen & tile) != 0) == choice) return;
  here.differing |= self.bit;
  report_condition_not_uniform(block, self, here, mask, tile, choice, where);
}

// The lanes that wait for the caller already, elsewhere, without having come to what it comes to.
std::uint32_t waiting_for(warp const& home, lane const& self, std::uint32_t missing) {
  std::uint32_t found = missing & home.at_any_barrier();
  for (std::uint32_t left = home.occupied; left != 0; left &= left - 1) {
    rendezvous const& each = home.pending[std::countr_zero(left)];
    if ((each.mask & self.bit) != 0) found |= each.arrived & missing;
  }
  return found;
}

void answer(machine& block, lane& self, std::uint32_t mask, operation_key key, roll_answer said, site where) {
  warp& home = *self.home;
  self.where = where;
  roll& called = block.rolls[static_cast<std::size_t>(home.number)].of(mask);
  std::size_t const length = called.entries.size();
  roll_entry& here = come(block, self, called, key, where);
  if (said != roll_answer::here && !block.aborting) compare_choice(block, self, here, mask, said == roll_answer::yes, where);
  std::uint32_t const missing = mask & home.live & ~here.arrived;
  std::uint32_t const passed = (missing & (home.waiting | home.at_any_barrier())) != 0 && !block.aborting ? waiting_for(home, self, missing) : 0;
  if (passed != 0) {
    report_passed_by(block, home, here, mask, passed, "what the lines below say");
    for (std::uint32_t left = passed; left != 0; left &= left - 1) move_behind(called, std::countr_zero(left), called.next[self.number] - 1);
  }
  bool const opened = called.entries.size() > length;
  bool const is_far = opened && (called.entries.size() - called.head) % far_ahead == 0;
  tidy(block, home);
  if (block.aborting) return block.leave_aborted(self);
  if (!is_far) return;
  block.ready.add_yielding(self.thread);
  block.wait(self);
}

}  // namespace

void come_to(machine& block, lane& self, operation_key const* key, std::uint32_t others, site where) {
  warp& home = *self.home;
  roll_list& all = block.rolls[static_cast<std::size_t>(home.number)];
  bool has_passed = false;
  for (std::size_t i = 0; i < all.open_count; ++i) {
    roll& called = all.rolls[i];
    if ((called.mask & self.bit) == 0) continue;
    for (std::size_t next = called.next[self.number]; next < called.entries.size(); ++next) {
      roll_entry& each = called.entries[next];
      if ((each.arrived & others & home.live) == 0) break;  // nor has any of them come to a later one
      self.where = where;
      report_passed_by(block, home, each, called.mask, self.bit, (key != nullptr ? operation_text(*key) : "the block barrier") + ", " + site_text(where));
      if (block.aborting) return;
      move_behind(called, self.number, next);
      has_passed = true;
    }
  }
  if (has_passed) tidy(block, home);
}

void leave_rolls(machine& block, warp& home) { tidy(block, home); }

}  // namespace detail

void roll_call(narrowing_kind which, std::uint32_t membermask, int width, std::uint32_t number, roll_answer said, site where) {
  if (width < 1 || width > warp_size || !std::has_single_bit(static_cast<unsigned>(width))) {
    throw std::invalid_argument("muster emulator: roll_call: width must be 1, 2, 4, 8, 16 or 32");
  }
  auto const [block, self] = detail::current_lane();
  if (block->aborting) return block->end_lane(*self);
  detail::operation_key const key(which, width, number);
  if (((membermask & ~self->scope) | (~membermask & self->bit)) != 0) {
    if ((membermask & self->bit) == 0) {
      detail::report_caller_not_in_set(*block, *self, membermask, key, where);
    } else {
      detail::report_outside_scope(*block, *self, membermask, key, where);
    }
    if (block->aborting) block->leave_aborted(*self);
    return;
  }
  if (membermask != self->bit) detail::answer(*block, *self, membermask, key, said, where);
}

void roll_call_of_block(narrowing_kind which, std::uint32_t number, site where) {
  auto const [block, self] = detail::current_lane();
  if (block->aborting) return block->end_lane(*self);
  detail::operation_key const key(which, warp_size, number);
  if (self->scope_depth != 0) {
    detail::report_call_in_scope(*block, *self, detail::operation_text(key), where);
    if (block->aborting) block->leave_aborted(*self);
    return;
  }
  if (self->home->existing != self->bit) detail::answer(*block, *self, self->home->existing, key, roll_answer::here, where);
}

}  // namespace muster::emulator
