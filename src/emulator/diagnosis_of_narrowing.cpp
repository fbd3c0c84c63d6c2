// The words for what is wrong with narrowings that no vote meets in, and with values that outlive a scope.
#include <bit>
#include <string>

#include "diagnosis.hpp"
#include "report.hpp"

namespace muster::emulator::detail {

void report_different_narrowing(machine& block, lane const& self, roll_entry const& called, std::uint32_t mask, operation_key key, site where) {
  report what = about(finding_kind::different_operation, key, mask, where);
  what.lanes = what.wrong = self.bit;
  what.arrived = called.arrived;
  what.reason = "lane " + std::to_string(self.number) + " comes to " + operation_text(key) + " where " + lanes_text(called.arrived) + " of the same mask came to " +
                operation_text(called.key) + ", " + site_text(called.where) + "; members come to the same narrowings in the same order";
  what.elsewhere = whereabouts(block, *self.home, called.arrived);
  add(block, *self.home, what);
}

void report_condition_not_uniform(machine& block, lane const& self, roll_entry const& called, std::uint32_t mask, std::uint32_t others, bool choice, site where) {
  report what = about(finding_kind::not_uniform, called.key, mask, where);
  what.lanes = what.wrong = self.bit;
  what.arrived = others;
  what.reason = "lane " + std::to_string(self.number) + " goes on with a condition that is " + (choice ? "true" : "false") + ", and " + lanes_text(others) +
                " of its tile with " + (choice ? "false" : "true") + ", " + site_text(called.where) +
                "; its type says that it is uniform: it was chosen by a native ?: or if, or was kept from elsewhere";
  add(block, *self.home, what);
}

void report_passed_by(machine& block, warp const& home, roll_entry const& called, std::uint32_t mask, std::uint32_t absent, std::string const& instead) {
  report what = about(finding_kind::absent_lanes, called.key, mask, called.where);
  what.lanes = absent;
  what.arrived = called.arrived;
  what.reason = lanes_text(absent) + " passed it by and came to " + instead + "; " + lanes_text(called.arrived) + " came to it before that, and every member must";
  what.elsewhere = whereabouts(block, home, absent);
  add(block, home, what);
}

void note_narrowing_relies_on_exit(machine& block, warp const& home, roll_entry const& called, std::uint32_t mask) {
  std::uint32_t const gone = mask & ~called.arrived;
  report what = about(finding_kind::relies_on_exit, called.key, mask, called.where);
  what.is_note = true;
  what.lanes = gone;
  what.arrived = called.arrived;
  what.reason = lanes_text(gone) + ((gone & home.existing) == 0 ? " never existed in this block" : " exited without having come to it") +
                ". Legal; but name only those that take part";
  add(block, home, what);
}

void report_acting_lanes_exited(machine& block, warp const& home, roll_entry const& called, std::uint32_t mask, std::uint32_t acting) {
  report what = about(finding_kind::acting_lane_exited, called.key, mask, called.where);
  what.lanes = acting;
  what.arrived = called.arrived;
  what.reason = lanes_text(called.arrived) + " came to it, and it hands on to " + lanes_text(acting) + ", which " +
                ((acting & home.existing) == 0 ? "this block never had" : "exited without having come") +
                ": its body runs in nobody. Exited lanes are not waited for; let them leave after their last call, or name only those that take part";
  add(block, home, what);
}

namespace {

std::string warps_text(std::uint32_t warps) { return (std::has_single_bit(warps) ? "warp " : "warps ") + list_of(warps); }

// Of a narrowing of the block: told of the first of the warps concerned.
report about_warps(finding_kind kind, roll_entry const& called) {
  report what = about(kind, called.key, 0, called.where);
  if (called.key.narrowing() != narrowing_kind::only_rank) what.call += " of the block";
  return what;
}

warp const& first_of(machine& block, std::uint32_t warps) { return block.warps[static_cast<std::size_t>(std::countr_zero(warps))]; }

}  // namespace

void report_different_block_narrowing(machine& block, lane const& self, roll_entry const& called, operation_key key, site where) {
  report what = about(finding_kind::different_operation, key, 0, where);
  what.lanes = what.wrong = self.bit;
  what.reason = "warp " + std::to_string(self.home->number) + " comes to " + operation_text(key) + " where " + warps_text(called.arrived) + " of the block came to " +
                operation_text(called.key) + ", " + site_text(called.where) + "; all threads of a block come to the same narrowings in the same order";
  add(block, *self.home, what);
}

void report_warps_passed_by(machine& block, roll_entry const& called, std::uint32_t warps) {
  warp const& home = first_of(block, warps);
  report what = about_warps(finding_kind::absent_lanes, called);
  what.lanes = what.wrong = home.live;
  what.reason = warps_text(warps) + " passed it by; " + warps_text(called.arrived) + " came to it, and every thread of the block must";
  what.elsewhere = whereabouts(block, home, home.live);
  add(block, home, what);
}

void report_acting_warp_absent(machine& block, roll_entry const& called, int number) {
  bool const exists = number < block.warp_count();
  warp const& home = exists ? block.warps[static_cast<std::size_t>(number)] : first_of(block, called.arrived);
  report what = about_warps(finding_kind::acting_lane_exited, called);
  what.lanes = home.existing;
  what.reason = warps_text(called.arrived) + " came to it, and it hands on to warp " + std::to_string(number) + ", which " +
                (exists ? "exited without having come" : "this block never had") + ": its body runs in nobody";
  add(block, home, what);
}

void note_warps_exited(machine& block, roll_entry const& called, std::uint32_t warps) {
  warp const& home = first_of(block, warps);
  report what = about_warps(finding_kind::relies_on_exit, called);
  what.is_note = true;
  what.lanes = home.existing;
  what.reason = warps_text(warps) + " exited without having come to it. Legal; but let every thread come to it";
  add(block, home, what);
}

void report_expired(machine& block, lane const& self, birth_mark const& born, std::uint32_t mask, bool is_own, bool is_open, site where) {
  report what;
  what.kind = finding_kind::held_value_expired;
  what.mask = mask;
  what.where = where;
  what.call = "use of a held_by";
  what.lanes = what.wrong = self.bit;
  std::string const caller = "lane " + std::to_string(self.number);
  if (!is_own) {
    what.reason = caller + " uses a held_by that " + (born.block == block.block_serial ? "thread " + std::to_string(born.thread) : "another block") + " made";
  } else if (!is_open) {
    what.reason = caller + " uses a held_by after it has left the scope that made it; a trip of loop_while is a scope of its own. It was made with mask " +
                  hexadecimal(born.membermask);
  } else {
    what.reason = caller + " uses a held_by with mask " + hexadecimal(mask) + "; it was made with mask " + hexadecimal(born.membermask);
  }
  add(block, *self.home, what);
}

}  // namespace muster::emulator::detail
