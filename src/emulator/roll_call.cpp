// Narrowing without a vote, as the emulator sees it: members say that they came and go on. Who stayed away is known once it has come to a collective, or to the block's
// barrier, at which a member that did answer cannot have been: that one answered before, so in its order the narrowing stands first.
#include "roll_call.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "block_roll_call.hpp"
#include "diagnosis.hpp"
#include "machine.hpp"
#include "report.hpp"

namespace muster::emulator {
namespace detail {
namespace {

// A lane this far ahead of the slowest lets others run, so that a long loop of narrowings does not fill the memory. It does not wait for them.
constexpr std::size_t far_ahead = 4096;

// So many entrances of a warp are open where lanes run ahead through scopes in scopes.
constexpr std::size_t many_entrances = 512;

// The lane, or of only<S> the lanes, that a narrowing hands on to among the members of a tile; none: it hands on to all of them.
std::uint32_t acting_lanes(warp const& home, operation_key key, std::uint32_t members) {
  switch (key.narrowing()) {
    case narrowing_kind::only:
    case narrowing_kind::only_otherwise: return members & key.narrowing_number();
    case narrowing_kind::invoke_one: return lane_set::single(lane_set{members}.lane_of(0)).bits;
    case narrowing_kind::only_rank: {
      int const rank = static_cast<int>(key.narrowing_number());
      if (key.narrowing_width() == 0) return rank / warp_size == home.number ? members & 1u << rank % warp_size : 0;
      return rank < lane_set{members}.count() ? lane_set::single(lane_set{members}.lane_of(rank)).bits : 0;
    }
    default: return 0;
  }
}

// Complete without some lanes, as those have exited: they are not waited for. But where other members of a tile came and none is left of those to whom it hands on, what
// the call asks for is done by nobody, and the others cannot know. Each side of an `only` with two bodies is one of those.
void complete_by_exit(machine& block, warp& home, roll_entry const& called, std::uint32_t mask) {
  bool const has_two_bodies = called.key.narrowing() == narrowing_kind::only_otherwise;
  bool const is_by_tile = called.key.narrowing() != narrowing_kind::only && !has_two_bodies && called.key.narrowing_width() != 0;
  int const width = is_by_tile ? called.key.narrowing_width() : warp_size;
  std::uint32_t idle = 0;
  for (int base = 0; base < warp_size; base += width) {
    std::uint32_t const members = mask & lane_set::range(base, width).bits;
    if ((members & called.arrived) == 0) continue;
    std::uint32_t const acting = acting_lanes(home, called.key, members);
    if ((acting & called.arrived) == 0) idle |= acting;
    if (has_two_bodies && (members & ~acting & called.arrived) == 0) idle |= members & ~acting;
  }
  if (idle != 0) report_acting_lanes_exited(block, home, called, mask, idle);
  else note_narrowing_relies_on_exit(block, home, called, mask);
}

// Takes complete entries off the front of a roll.
void retire(machine& block, warp& home, roll& called) {
  while (!called.is_complete()) {
    roll_entry const& front = called.entries[called.head];
    if ((called.mask & home.live & ~front.arrived) != 0) break;
    if ((called.mask & ~front.arrived) != 0) complete_by_exit(block, home, front, called.mask);
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
      home.called |= each.mask & home.live & ~each.entries.back().arrived;  // who has come to the last one has come to all
    }
  }
}

void let_others_run(machine& block, lane& self) {
  block.ready.add_yielding(self.thread);
  block.wait(self);
}

// Puts a lane behind an entry, as if it had come to those before.
void move_behind(roll& called, int lane, std::size_t entry) {
  std::size_t& next = called.next[lane];
  for (; next <= entry; ++next) called.entries[next].arrived |= 1u << lane;
}

// Others have come to narrowings of a later scope already, so one of this scope they have passed by: it is put in before those.
void put_in_before(machine& block, lane& self, roll& called, operation_key key, site where) {
  std::size_t const place = called.next[self.number];
  std::uint32_t passed = 0;
  for (int each = 0; each < warp_size; ++each) {
    if (called.next[each] <= place) continue;
    ++called.next[each];
    passed |= 1u << each;
  }
  called.entries.insert(called.entries.begin() + static_cast<std::ptrdiff_t>(place), {key, 0, 0, 0, where, self.details->scope_number});
  roll_entry shown = called.entries[place];
  shown.arrived = self.bit;
  called.entries[place].arrived = passed;
  report_passed_by(block, *self.home, shown, called.mask, passed, "the same in a later scope, " + site_text(called.entries[place + 1].where));
}

// The entry that a lane comes to: its next one, opened if need be. Another function than the others called there is a finding; then the lane has perhaps left one out.
roll_entry& come(machine& block, lane& self, roll& called, operation_key key, site where) {
  std::size_t& next = called.next[self.number];
  std::uint64_t const scope = self.details->scope_number;
  while (next < called.entries.size() && called.entries[next].scope < scope) {
    report_passed_by(block, *self.home, called.entries[next], called.mask, self.bit, operation_text(key) + " in a later scope, " + site_text(where));
    move_behind(called, self.number, next);
  }
  if (next < called.entries.size() && called.entries[next].scope > scope) put_in_before(block, self, called, key, where);
  if (next == called.entries.size()) {
    called.entries.push_back({key, 0, 0, 0, where, scope});
  } else if (called.entries[next].key != key) {
    report_different_narrowing(block, self, called.entries[next], called.mask, key, where);
    std::size_t later = next + 1;
    while (later < called.entries.size() && called.entries[later].scope == scope && called.entries[later].key != key) ++later;
    if (later < called.entries.size() && called.entries[later].key == key) move_behind(called, self.number, later - 1);
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
  if (is_far) let_others_run(block, self);
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

void leave_rolls(machine& block, lane& self) {
  warp& home = *self.home;
  if ((home.called & self.bit) != 0) tidy(block, home);
  std::erase_if(block.rolls[static_cast<std::size_t>(home.number)].entrances,
                [&](entrance const& each) { return (each.members & home.live & ~each.furthest_lanes) == 0; });
}

entered_scope scope_of(machine& block, lane& self, std::uint32_t members) {
  warp& home = *self.home;
  roll_list& all = block.rolls[static_cast<std::size_t>(home.number)];
  std::uint64_t const outer = self.details->scope_number;
  auto const numbered = [](std::uint32_t serial, std::uint32_t scope) { return static_cast<std::uint64_t>(serial) << 32 | scope; };
  if ((members & ~self.bit) == 0 || (members & self.bit) == 0) return {numbered(++all.serials, 1), true};
  auto const known = std::find_if(all.entrances.rbegin(), all.entrances.rend(), [&](entrance const& each) { return each.outer == outer && each.members == members; });
  bool const opens = known == all.entrances.rend();
  if (opens) all.entrances.push_back({outer, members, ++all.serials, 0, 0, {}});
  entrance& here = opens ? all.entrances.back() : *known;
  std::uint32_t const scope = ++here.gone[self.number];
  bool const is_first = scope > here.furthest;
  if (is_first) {
    here.furthest = scope;
    here.furthest_lanes = 0;
  }
  if (scope == here.furthest) here.furthest_lanes |= self.bit;
  std::uint64_t const result = numbered(here.serial, scope);
  if ((members & home.live & ~here.furthest_lanes) == 0) {  // all have gone through as often
    std::swap(here, all.entrances.back());
    all.entrances.pop_back();
  }
  if (opens && all.entrances.size() % many_entrances == 0) let_others_run(block, self);
  return {result, is_first};
}

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
  detail::operation_key const key(which, 0, number);
  if (self->context != 0) {
    detail::report_call_in_scope(*block, *self, detail::operation_text(key), where);
    if (block->aborting) block->leave_aborted(*self);
    return;
  }
  detail::answer_for_warp(*block, *self, key, where);
  if (self->home->existing != self->bit) detail::answer(*block, *self, self->home->existing, key, roll_answer::here, where);
}

}  // namespace muster::emulator
