// What can be found wrong with blocks that wait for each other, put into words.
#include "diagnosis_of_meetings.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include "report.hpp"

namespace muster::emulator::detail {
namespace {

// The first warp of the meeting's blocks of which some lanes are chosen.
struct place_in_company {
  machine* block = nullptr;
  warp* home = nullptr;
};
template <class Chosen>
place_in_company first_with(meeting const& met, Chosen const& chosen) {
  for (machine* const block : met.blocks) {
    for (int number = 0; number < block->warp_count(); ++number) {
      warp& home = block->warps[static_cast<std::size_t>(number)];
      if (chosen(home) != 0) return {block, &home};
    }
  }
  return {};
}

std::uint32_t waiting(warp const& home, meeting const& met) { return home.at_meeting[static_cast<int>(met.which)]; }

site first_site(meeting const& met) {
  auto const [block, home] = first_with(met, [&](warp const& each) { return waiting(each, met); });
  return block == nullptr ? site{} : block->lane_of(*home, std::countr_zero(waiting(*home, met))).where;
}

}  // namespace

char const* company_text(meeting const& met) { return met.which == block_company::cluster ? "cluster" : "grid"; }

std::string meeting_text(meeting const& met) {
  bool const exchanges = met.arrived != 0 && met.met_in.what != nullptr;
  return std::string(company_text(met)) + (exchanges ? " algorithm" : " barrier");
}

void report_different_meeting(machine& block, lane const& self, meeting const& met, site where) {
  report what;
  what.kind = finding_kind::different_operation;
  what.where = where;
  what.call = std::string(company_text(met)) + " algorithm";
  what.lanes = what.wrong = self.bit;
  what.reason = "lane " + std::to_string(self.number) + " of warp " + std::to_string(self.home->number) +
                " comes here, and others of the " + company_text(met) +
                " wait in another call, with another operator, type, storage or rank, " + site_text(met.met_at) + ": all threads of a " +
                company_text(met) + " make its calls together";
  add(block, *self.home, what);
}

void report_meeting_of_fewer(meeting const& met) {
  auto const [block, home] = first_with(met, [](warp const& each) { return each.existing & ~each.live; });
  bool const exchanges = met.met_in.what != nullptr;                  // then a value is missing, and what is read in its place is undefined
  bool const hangs = met.which == block_company::grid && !exchanges;  // a GPU counts blocks by one thread of each
  report what;
  what.kind = exchanges ? finding_kind::reads_exited_lane : hangs ? finding_kind::barrier_divergence : finding_kind::relies_on_exit;
  what.is_note = !exchanges && !hangs;
  what.call = meeting_text(met);
  what.where = first_site(met);
  what.lanes = home->existing & ~home->live;
  what.arrived = waiting(*home, met);
  what.reason = std::to_string(met.lanes - met.live) + " of " + std::to_string(met.lanes) + " threads of the " + company_text(met) +
                " exited before and will not " +
                (exchanges ? "be waited for. Their values are missing: give neutral ones instead of leaving"
                 : hangs   ? "come: a GPU counts each block once, and waits for ever for one that has left"
                           : "be waited for. Legal; but let every thread come to it");
  add(*block, *home, what);
}

void report_block_out_of_reach(machine& block, lane const& self, machine const& other, char const* why, site where) {
  report what;
  what.kind = finding_kind::reads_exited_lane;
  what.where = where;
  what.call = "shared_of another block";
  what.lanes = what.wrong = self.bit;
  what.reason =
      "lane " + std::to_string(self.number) + " asks for the shared memory of block " + place_text(other.block_index) + ", which " + why;
  add(block, *self.home, what);
}

void diagnose_meeting(meeting const& met) {
  if (met.arrived == 0) return;
  auto const without = [&](warp const& each) { return each.live & ~waiting(each, met); };
  auto const [block, home] = first_with(met, without);
  if (block == nullptr) return;
  report what;
  what.kind = finding_kind::barrier_divergence;
  what.call = meeting_text(met);
  what.where = first_site(met);
  what.lanes = what.wrong = without(*home);
  what.arrived = waiting(*home, met);
  what.reason = std::to_string(met.arrived) + " of " + std::to_string(met.live) + " threads of the " + company_text(met) +
                " wait at its barrier; the others have not exited and "
                "cannot reach it";
  what.elsewhere = "            block " + place_text(block->block_index) + ", warp " + std::to_string(home->number) + ":\n" +
                   whereabouts(*block, *home, home->live);
  add(*block, *home, what);
}

}  // namespace muster::emulator::detail
