// A report's text: what was called, where, by whom, a map of the warp's lanes, and how to see it again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine.hpp"

namespace muster::emulator::detail {

// "0-3, 8, 16-31"; "none" for no lanes.
std::string list_of(std::uint32_t lanes);
std::string hexadecimal(std::uint32_t bits);
std::string place_text(extent place);
std::string site_text(site where);

// One call in the source. A header's name may lie at several addresses.
bool is_same_call(site a, site b);

// How to see it again: "  again     seed=7 schedule=random" and a line's end.
std::string again_text(options const& settings);

// The instruction in PTX's words, "shfl.sync.down of 4 bytes", or the narrowing in the library's: "only_rank<0> in tiles of 8".
std::string operation_text(operation_key key);

// "lane 3", "lanes 0-7".
std::string lanes_text(std::uint32_t lanes);

// Where the lanes are, one line for each group that is in the same place: "    lanes 8-31 wait at the block barrier, f.cu:12".
std::string whereabouts(machine& block, warp const& home, std::uint32_t lanes);

// "lane 8 is thread (8,0,0)".
std::string thread_text(machine& block, warp const& home, std::uint32_t lanes);

struct report {
  finding_kind kind{};
  bool is_note = false;
  std::uint32_t lanes = 0;     // the lanes concerned
  std::uint32_t mask = 0;      // of the operation; 0: it has none
  std::uint32_t arrived = 0;   // the lanes that have reached it
  std::uint32_t wrong = 0;     // the lanes to mark in the map
  site where;
  std::string call;            // the operation in words
  std::string reason;          // what happened, in a sentence or two
  std::string elsewhere;       // lines about where other lanes are
};

// A report with what every one has.
report about(finding_kind kind, operation_key key, std::uint32_t mask, site where);

// Whether nothing was noted of this call yet; now something is.
bool is_first_note(std::vector<site>& noted, site where);

// Adds the finding, or counts it with an earlier one of the same kind, warp and call.
void add(machine& block, warp const& home, report const& what);

}  // namespace muster::emulator::detail
