// What can be found wrong with blocks that wait for each other.
#pragma once

#include <string>

#include "machine.hpp"
#include "meeting.hpp"

namespace muster::emulator::detail {

// "cluster" or "grid".
char const* company_text(meeting const& met);

// "cluster barrier", or "cluster algorithm" while one is under way.
std::string meeting_text(meeting const& met);

// While others wait in another call.
void report_different_meeting(machine& block, lane const& self, meeting const& met, site where);
// All that are left have come.
void report_meeting_of_fewer(meeting const& met);
void report_block_out_of_reach(machine& block, lane const& self, machine const& other, char const* why, site where);
// No block of the company can run.
void diagnose_meeting(meeting const& met);

}  // namespace muster::emulator::detail
