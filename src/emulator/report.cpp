// A report's text, and the record of what was found.
#include "report.hpp"

#include <bit>
#include <cstring>
#include <sstream>

namespace muster::emulator {

char const* name_of(finding_kind kind) {
  switch (kind) {
    case finding_kind::caller_not_in_set: return "caller_not_in_set";
    case finding_kind::absent_lanes: return "absent_lanes";
    case finding_kind::different_operation: return "different_operation";
    case finding_kind::different_mask: return "different_mask";
    case finding_kind::outside_scope: return "outside_scope";
    case finding_kind::reads_exited_lane: return "reads_exited_lane";
    case finding_kind::reads_non_member: return "reads_non_member";
    case finding_kind::rank_out_of_range: return "rank_out_of_range";
    case finding_kind::not_uniform: return "not_uniform";
    case finding_kind::barrier_divergence: return "barrier_divergence";
    case finding_kind::nobody_can_run: return "nobody_can_run";
    case finding_kind::acting_lane_exited: return "acting_lane_exited";
    case finding_kind::storage_not_shared: return "storage_not_shared";
    case finding_kind::held_value_expired: return "held_value_expired";
    case finding_kind::operator_not_as_stated: return "operator_not_as_stated";
    case finding_kind::race: return "race";
    case finding_kind::shared_memory_overrun: return "shared_memory_overrun";
    case finding_kind::copy_not_awaited: return "copy_not_awaited";
    case finding_kind::relies_on_exit: return "relies_on_exit";
  }
  return "unknown";
}

emulation_error::emulation_error(finding what) : std::runtime_error(what.text), first(std::move(what)) {}

namespace detail {
namespace {

char const* words_for(finding_kind kind) {
  switch (kind) {
    case finding_kind::caller_not_in_set: return "the calling lane is not in its own set";
    case finding_kind::absent_lanes: return "lanes that are named never arrive";
    case finding_kind::different_operation: return "lanes of one set execute different operations";
    case finding_kind::different_mask: return "lanes wait for each other with different sets";
    case finding_kind::outside_scope: return "an operation reaches outside the current scope";
    case finding_kind::reads_exited_lane: return "a shuffle reads a lane that has exited or never existed";
    case finding_kind::reads_non_member: return "a shuffle reads a lane outside its set";
    case finding_kind::rank_out_of_range: return "a rank is not below the number of members";
    case finding_kind::not_uniform: return "a value stated to be uniform differs within a tile";
    case finding_kind::barrier_divergence: return "some threads wait at a barrier and the others cannot reach it";
    case finding_kind::nobody_can_run: return "nobody gets on";
    case finding_kind::acting_lane_exited: return "the lanes that are to act have exited";
    case finding_kind::storage_not_shared: return "a block's storage does not lie in its shared memory";
    case finding_kind::held_value_expired: return "a held value is used outside what it was made in";
    case finding_kind::shared_memory_overrun: return "a block uses memory beside its shared memory";
    case finding_kind::copy_not_awaited: return "a copy was begun and not waited for";
    case finding_kind::operator_not_as_stated: return "an operator is not what it says of itself";
    case finding_kind::race: return "two lanes use the same shared memory, at least one writes, and nothing orders them";
    case finding_kind::relies_on_exit: return "an operation names lanes that have exited or never existed";
  }
  return "";
}

char const* name_of(schedule order) {
  switch (order) {
    case schedule::random: return "random";
    case schedule::ascending: return "ascending";
    case schedule::descending: return "descending";
    case schedule::lockstep: return "lockstep";
  }
  return "unknown";
}

char const* redux_name(redux_operation op) {
  switch (op) {
    case redux_operation::add: return "add";
    case redux_operation::min_s32: return "min.s32";
    case redux_operation::max_s32: return "max.s32";
    case redux_operation::min_u32: return "min.u32";
    case redux_operation::max_u32: return "max.u32";
    case redux_operation::bit_and: return "and";
    case redux_operation::bit_or: return "or";
    case redux_operation::bit_xor: return "xor";
  }
  return "unknown";
}

char const* mode_name(shuffle_mode mode) {
  switch (mode) {
    case shuffle_mode::up: return "up";
    case shuffle_mode::down: return "down";
    case shuffle_mode::bfly: return "bfly";
    case shuffle_mode::idx: return "idx";
  }
  return "unknown";
}

std::string narrowing_text(operation_key key) {
  bool const is_of_block = key.narrowing_width() == 0;
  std::string const tiles = is_of_block || key.narrowing_width() == warp_size ? "" : " in tiles of " + std::to_string(key.narrowing_width());
  std::string const number = std::to_string(key.narrowing_number());
  switch (key.narrowing()) {
    case narrowing_kind::only: return "only<" + hexadecimal(key.narrowing_number()) + ">" + tiles;
    case narrowing_kind::only_rank: return "only_rank<" + number + ">" + (is_of_block ? " of the block" : tiles);
    case narrowing_kind::branch: return "branch on a uniform condition" + tiles;
    case narrowing_kind::each_tile: return "each_tile" + tiles;
    case narrowing_kind::loop_while: return "loop_while on a uniform condition" + tiles;
    case narrowing_kind::invoke_one: return "invoke_one" + tiles;
    case narrowing_kind::only_warp: return "only_warp<" + number + ">";
    case narrowing_kind::for_warps: return "for_warps";
    case narrowing_kind::only_otherwise: return "only<" + hexadecimal(key.narrowing_number()) + "> with a body for the others" + tiles;
  }
  return "unknown narrowing";
}

// One character for each lane of the warp, lane 0 first.
std::string map_of(warp const& home, report const& what) {
  std::string map;
  for (std::uint32_t bit = 1; bit != 0; bit <<= 1) {
    char each = 'o';
    if ((what.mask & bit) != 0) each = '.';
    if ((home.live & bit) == 0) each = '-';
    if ((home.existing & bit) == 0) each = ' ';
    if ((what.arrived & bit) != 0) each = 'X';
    if ((what.wrong & bit) != 0) each = '!';
    map += each;
  }
  return map;
}

std::string legend_of(std::string const& map) {
  std::string text;
  auto const explain = [&](char mark, char const* meaning) {
    if (map.find(mark) == std::string::npos) return;
    text += text.empty() ? "" : ", ";
    (mark == ' ' ? text += "blank" : text += mark) += meaning;
  };
  explain('!', " concerned");
  explain('X', " here");
  explain('.', " named, alive, not here");
  explain('o', " alive, not named");
  explain('-', " exited");
  explain(' ', " never existed");
  return text;
}

std::string place_of_lane(machine& block, warp const& home, int number) {
  lane const& each = block.lane_of(home, number);
  std::uint32_t const bit = each.bit;
  if (each.state == lane_state::finished) return "exited";
  if ((home.at_barrier & bit) != 0) return "wait at the block barrier, " + site_text(each.where);
  if ((home.at_any_barrier() & bit) != 0)
    return std::string("wait at the ") + ((home.at_meeting[static_cast<int>(block_company::grid)] & bit) != 0 ? "grid" : "cluster") + " barrier, " + site_text(each.where);
  for (rendezvous const& there : home.pending) {
    if (there.mask == 0 || (there.arrived & bit) == 0) continue;
    return "wait in " + operation_text(there.key) + ", mask " + hexadecimal(there.mask) + ", " + site_text(each.where);
  }
  if (each.state == lane_state::spinning) return "spin, yielding to lanes that do not get on" +
                                                 (each.where.line != 0 ? "; before that at " + site_text(each.where) : std::string());
  if (each.state == lane_state::fresh) return "have not begun";
  return each.where.line != 0 ? "run on from " + site_text(each.where) : "run and have called nothing yet";
}

std::string text_of(machine& block, warp const& home, report const& what) {
  options const& settings = block.job->settings;
  std::string const map = map_of(home, what);
  std::ostringstream text;
  text << "muster emulator: " << (what.is_note ? "note: " : "") << words_for(what.kind) << " (" << emulator::name_of(what.kind) << ")\n"
       << "  call      " << what.call << (what.mask != 0 ? ", mask " + hexadecimal(what.mask) : std::string()) << ", at " << site_text(what.where) << "\n"
       << "  place     block " << place_text(block.block_index)
       << (what.lanes == 0 ? std::string() : ", warp " + std::to_string(home.number) + ", " + lanes_text(what.lanes) + thread_text(block, home, what.lanes)) << "\n"
       << "  reason    " << what.reason << "\n"
       << "  lanes     [" << map << "]  " << legend_of(map) << "\n"
       << what.elsewhere << again_text(settings);
  return text.str();
}

}  // namespace

std::string again_text(options const& settings) { return "  again     seed=" + std::to_string(settings.seed) + " schedule=" + name_of(settings.order) + "\n"; }

bool is_same_call(site a, site b) { return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0); }

std::string list_of(std::uint32_t lanes) {
  if (lanes == 0) return "none";
  std::string text;
  for (int first = 0; first < warp_size; ++first) {
    if ((lanes >> first & 1u) == 0) continue;
    int const last = first + std::countr_one(lanes >> first) - 1;
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (last > first) text += "-" + std::to_string(last);
    first = last;
  }
  return text;
}

std::string hexadecimal(std::uint32_t bits) {
  char text[] = "0x00000000";
  for (int digit = 0; digit < 8; ++digit) text[2 + digit] = "0123456789abcdef"[bits >> (28 - 4 * digit) & 15u];
  return text;
}

std::string place_text(extent place) {
  return "(" + std::to_string(place.x) + "," + std::to_string(place.y) + "," + std::to_string(place.z) + ")";
}

std::string site_text(site where) {
  return where.line == 0 ? "an unknown line" : std::string(where.file) + ":" + std::to_string(where.line);
}

std::string operation_text(operation_key key) {
  auto const sized = [&](std::string name) { return name + " of " + std::to_string(key.bytes()) + (key.bytes() == 1 ? " byte" : " bytes"); };
  switch (key.kind()) {
    case operation::shuffle: return sized(std::string("shfl.sync.") + mode_name(static_cast<shuffle_mode>(key.qualifier())));
    case operation::ballot: return "vote.sync.ballot";
    case operation::any: return "vote.sync.any";
    case operation::all: return "vote.sync.all";
    case operation::match_any: return sized("match.any.sync");
    case operation::match_all: return sized("match.all.sync");
    case operation::redux: return std::string("redux.sync.") + redux_name(static_cast<redux_operation>(key.qualifier()));
    case operation::sync_warp: return "bar.warp.sync";
    case operation::check_uniform: return sized("check of a uniform value") + " in tiles of " + std::to_string(key.qualifier());
    case operation::narrowing: return narrowing_text(key);
  }
  return "unknown operation";
}

std::string lanes_text(std::uint32_t lanes) { return (std::has_single_bit(lanes) ? "lane " : "lanes ") + list_of(lanes); }

report about(finding_kind kind, operation_key key, std::uint32_t mask, site where) {
  report what;
  what.kind = kind;
  what.mask = mask;
  what.where = where;
  what.call = operation_text(key);
  return what;
}

std::string thread_text(machine& block, warp const& home, std::uint32_t lanes) {
  lanes &= home.existing;
  if (lanes == 0) return "";
  int const first = std::countr_zero(lanes);
  return " (lane " + std::to_string(first) + " is thread " + place_text(block.lane_of(home, first).details->place.thread) + ")";
}

std::string whereabouts(machine& block, warp const& home, std::uint32_t lanes) {
  std::string text;
  for (std::uint32_t left = lanes & home.existing; left != 0;) {
    std::string const there = place_of_lane(block, home, std::countr_zero(left));
    std::uint32_t group = 0;
    for (std::uint32_t rest = left; rest != 0; rest &= rest - 1) {
      int const each = std::countr_zero(rest);
      if (place_of_lane(block, home, each) == there) group |= 1u << each;
    }
    text += std::string("            ") + lanes_text(group) + ": " + there + "\n";
    left &= ~group;
  }
  return text;
}

bool is_first_note(std::vector<site>& noted, site where) {
  for (site const& each : noted) {
    if (is_same_call(each, where)) return false;
  }
  noted.push_back(where);
  return true;
}

void add(machine& block, warp const& home, report const& what) {
  if (what.is_note) {
    if (!is_first_note(block.noted, what.where)) return;  // a note is made once for each call in a run
  } else {
    for (recorded_finding& earlier : block.findings) {
      finding& known = earlier.found;
      if (known.kind != what.kind || known.warp != home.number || !is_same_call(known.where, what.where)) continue;
      ++earlier.repeats;
      known.lanes = known.lanes | lane_set{what.lanes};
      return;
    }
  }
  finding found;
  found.kind = what.kind;
  found.is_note = what.is_note;
  found.block = block.block_index;
  found.warp = home.number;
  found.lanes = {what.lanes};
  found.membermask = {what.mask};
  found.where = what.where;
  found.text = text_of(block, home, what);
  block.findings.push_back({std::move(found), 0, {what.lanes}});
  if (!what.is_note && !block.collecting()) block.abort_block();
}

}  // namespace detail
}  // namespace muster::emulator
