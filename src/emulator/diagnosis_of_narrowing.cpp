// The words for what is wrong with narrowings that no vote meets in, and with values that outlive a scope.
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
