// `muster show`: a plan as text, without running anything.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string>

#include <muster/plan/describe.hpp>
#include <muster/plan/plan_for.hpp>
#include <muster/plan/tiles.hpp>

#include "tool/commands.hpp"
#include "tool/errors.hpp"

namespace muster::tool {

namespace {

// A hexadecimal (0x...) or decimal set of lanes.
lane_set parse_lanes(std::string const& text) {
  bool const is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  char const* const begin = text.data() + (is_hexadecimal ? 2 : 0);
  char const* const end = text.data() + text.size();
  std::uint32_t bits = 0;
  auto const parsed = std::from_chars(begin, end, bits, is_hexadecimal ? 16 : 10);
  if (parsed.ec != std::errc{} || parsed.ptr != end) throw bad_input("--lanes '" + text + "' is not a set of 32 lanes; write it as 0x3f3f3f3f");
  if (bits == 0) throw bad_input("--lanes: a group needs at least one lane");
  return {bits};
}

plan::plan plan_asked_for(show_request const& request, lane_set members) {
  int const width = request.width;
  if (request.what == "reduce") return plan::make_plan(width, members, plan::kind::all_reduce);
  if (request.what == "inclusive_scan") return plan::make_plan(width, members, plan::kind::inclusive_scan);
  if (request.what == "exclusive_scan") return plan::make_plan(width, members, plan::kind::exclusive_scan);
  plan::move const move = request.what == "shuffle_xor"    ? plan::move::exchange
                          : request.what == "shuffle_up"   ? plan::move::up
                          : request.what == "shuffle_down" ? plan::move::down
                                                           : plan::move::from_rank;
  if (!plan::is_defined(width, members, move, request.by))
    throw bad_input(request.what + ": --by " + std::to_string(request.by) + " names a rank that some tile does not have; the smallest tile has " +
                    std::to_string(plan::smallest_tile_count(width, members)) + " members");
  return plan::make_move(width, members, move, request.by);
}

}  // namespace

void show(show_request const& request) {
  if (!plan::is_tile_width(request.width)) throw bad_input("--width " + std::to_string(request.width) + ": a tile has 1, 2, 4, 8, 16 or 32 lanes");
  lane_set const members = parse_lanes(request.lanes);
  std::fputs(plan::describe(plan_asked_for(request, members), request.width, members).c_str(), stdout);
}

}  // namespace muster::tool
