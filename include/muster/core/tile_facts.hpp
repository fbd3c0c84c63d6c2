// What follows at compile time from a tile's width and members. Algorithms ask these facts with `if constexpr`.
#pragma once

#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/members.hpp>

MUSTER_BEGIN

namespace detail {

// Facts of a set of lanes cut into tiles; tiles without members do not count.
struct partition_facts {
  int tiles = 0;             // that have members
  int smallest = 0;          // member count of the smallest tile
  int largest = 0;           // and of the largest
  bool prefixes = false;     // in every tile the members are its first lanes: rank == lane % width
};

MUSTER_FN constexpr partition_facts facts_of(int width, lane_set set) {
  partition_facts facts{0, 0, 0, true};
  for (int base = 0; base < warp_size; base += width) {
    lane_set const members = set & lane_set::range(base, width);
    int const count = members.count();
    if (count == 0) continue;
    facts.smallest = facts.tiles == 0 || count < facts.smallest ? count : facts.smallest;
    facts.largest = count > facts.largest ? count : facts.largest;
    facts.prefixes = facts.prefixes && members == lane_set::range(base, count);
    ++facts.tiles;
  }
  return facts;
}

template <int Width, class Members>
struct tile_facts {
  static constexpr bool is_static = detail::is_static<Members>;
  static constexpr lane_set static_members = detail::static_lanes<Members>;  // empty unless is_static
  static constexpr partition_facts partition = facts_of(Width, static_members);

  // All members lie in one tile, so that a value uniform in the tile is uniform among all members.
  static constexpr bool is_single_tile = Width == warp_size || (is_static && partition.tiles == 1) || own_tile_width<Members> == Width;

  // Every tile that has members has all of them.
  static constexpr bool is_full = (is_static && partition.smallest == Width) || own_tile_width<Members> != 0;

  // rank == lane % Width in every tile.
  static constexpr bool ranks_are_lanes = is_static ? partition.prefixes : !is_dynamic<Members>;

  // The number of members of every tile, where it is the same; otherwise 0.
  static constexpr int static_count = is_full ? Width : is_static && partition.smallest == partition.largest ? partition.smallest : 0;

  // The fewest members a tile can have.
  static constexpr int least_count = is_full ? Width : is_static ? partition.smallest : 1;
};

}  // namespace detail

MUSTER_END
