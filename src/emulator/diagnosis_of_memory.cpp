// Memory beside a block's shared memory that its threads use, put into words.
#include <cstddef>
#include <string>

#include "diagnosis.hpp"
#include "machine.hpp"
#include "report.hpp"
#include "shared_memory.hpp"

namespace muster::emulator::detail {

site site_of_barrier(machine& block) {
  for (int number = 0; number < block.warp_count(); ++number) {
    warp& home = block.warps[static_cast<std::size_t>(number)];
    for (int each = 0; each < warp_size; ++each)
      if ((home.at_barrier >> each & 1u) != 0) return block.lane_of(home, each).where;
  }
  return {};
}

// Looks for bytes beside the block's shared memory that were written, at a barrier at which all have met, or when the block has ended (barrier.line 0). Who wrote is not
// known: other lanes have run since, and in a cluster those of other blocks reach it too. Nor, at the end, is when: barriers look at few bytes. Remembers the barrier.
void find_overruns(machine& block, shared_memory::extent_of_search how_far, site barrier, char const* met) {
  std::string const written = block.memory.written_beside(how_far);
  passed_barrier const before = block.last_met;
  block.last_met = {barrier, met};
  if (written.empty()) return;
  bool const is_in_cluster = block.meets[static_cast<int>(block_company::cluster)] != nullptr;
  std::string const of_all = is_in_cluster && before.met == of_block ? "the block" : "all";
  report what;
  what.kind = finding_kind::shared_memory_overrun;
  what.where = barrier;
  what.call = barrier.line != 0 ? std::string("shared memory, looked at when the ") + met + " met" : "shared memory, looked at when the block had ended";
  what.reason = written + ", by a thread of the " + (is_in_cluster ? "cluster" : "block") +
                (barrier.line != 0 && before.where.line != 0 ? " since " + of_all + " met at " + site_text(before.where) : " since it began") +
                ": on a GPU that is another object, or stops the kernel. A program that links muster::racecheck is told which lane and line";
  add(block, block.warps[0], what);
}

void report_access_beside(machine& block, lane const& self, shared_memory::neighbourhood place, char const* verb, std::size_t bytes, site where) {
  report what;
  what.kind = finding_kind::shared_memory_overrun;
  what.where = where;
  what.lanes = what.wrong = self.bit;
  what.call = std::string(verb) + " of " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") + " by lane " + std::to_string(self.number);
  what.reason = std::string(place.object) + " has " + std::to_string(place.bytes) + (place.bytes == 1 ? " byte" : " bytes") + ", and byte " + std::to_string(place.byte) +
                " is used: on a GPU that is another object, or stops the kernel";
  add(block, *self.home, what);
}

}  // namespace muster::emulator::detail
