// `muster show`: a plan as text, without running anything.
#include <charconv>
#include <cstdint>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <muster/plan/describe.hpp>
#include <muster/plan/plan_for.hpp>
#include <muster/plan/tiles.hpp>

#include "tool/commands.hpp"
#include "tool/errors.hpp"

namespace muster::tool {

namespace {

struct show_request {
  std::string what;
  int width = warp_size;
  std::string lanes = "0xffffffff";
  int by = 1;
};

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
    throw bad_input(fmt::format("{}: --by {} names a rank that some tile does not have; the smallest tile has {} members", request.what, request.by,
                                plan::smallest_tile_count(width, members)));
  return plan::make_move(width, members, move, request.by);
}

void show(show_request const& request) {
  if (!plan::is_tile_width(request.width)) throw bad_input(fmt::format("--width {}: a tile has 1, 2, 4, 8, 16 or 32 lanes", request.width));
  lane_set const members = parse_lanes(request.lanes);
  fmt::print("{}", plan::describe(plan_asked_for(request, members), request.width, members));
}

}  // namespace

void add_show(CLI::App& app) {
  auto* const command = app.add_subcommand("show", "Print the plan of an operation: rounds, who reads whom, and with which instruction");
  auto const request = std::make_shared<show_request>();
  command->add_option("operation", request->what, "reduce, inclusive_scan, exclusive_scan, shuffle_xor, shuffle_up, shuffle_down or broadcast")
      ->required()
      ->check(CLI::IsMember({"reduce", "inclusive_scan", "exclusive_scan", "shuffle_xor", "shuffle_up", "shuffle_down", "broadcast"}));
  command->add_option("--width", request->width, "lanes of a tile: 1, 2, 4, 8, 16 or 32")->capture_default_str();
  command->add_option("--lanes", request->lanes, "the members, as a set of the warp's lanes")->capture_default_str();
  command->add_option("--by", request->by, "the xor, the distance or the rank of a shuffle")->capture_default_str();
  command->callback([request] { show(*request); });
}

}  // namespace muster::tool
