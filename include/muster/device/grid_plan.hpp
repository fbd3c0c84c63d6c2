// How a grid whose blocks run at once divides rows among them.
#pragma once

#include <muster/config.hpp>

MUSTER_BEGIN

namespace device::detail {

// Blocks [i * blocks_of_team, (i + 1) * blocks_of_team) are team i; the team's block j takes values [j * part, (j + 1) * part) of its row. Teams take rows in turns.
struct grid_division {
  int teams;
  int blocks_of_team;
  long long part;
};

// Parts begin at multiples of so many bytes: a line of memory.
inline constexpr int part_unit_bytes = 128;

constexpr long long quotient_up(long long a, long long b) { return a / b + (a % b != 0); }

inline constexpr int most_blocks_of_multiprocessor = 2;  // of all shapes of grids

// Few rows get all blocks. Of many, as many are worked on at once as the blocks can hold; one that no number of blocks can hold has them all.
constexpr grid_division divided(long long rows, long long columns, long long blocks, long long held_by_block, int value_bytes) {
  long long const needed = quotient_up(columns, held_by_block);
  long long const at_once = needed >= blocks ? 1 : blocks / needed;
  long long const rounds = quotient_up(rows, rows < at_once ? rows : at_once);
  long long const teams = quotient_up(rows, rounds);
  long long const unit = part_unit_bytes / value_bytes;
  long long const part = quotient_up(quotient_up(columns, blocks / teams), unit) * unit;
  return {static_cast<int>(teams), static_cast<int>(quotient_up(columns, part)), part};
}

}  // namespace device::detail

MUSTER_END
