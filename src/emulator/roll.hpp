// The rolls of a warp: which narrowings some members of a set of lanes have come to and others not yet. Nobody waits for a roll. A member's n-th narrowing with a mask is the
// n-th of every other member, so each roll is a queue of calls, and each lane has its place in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include <muster/core/lane_set.hpp>
#include <muster/core/site.hpp>

#include "operation_key.hpp"

namespace muster::emulator::detail {

// One call of a narrowing function, of the lanes that have come to it.
struct roll_entry {
  operation_key key;
  std::uint32_t arrived = 0;
  std::uint32_t chosen = 0;     // those of them whose uniform condition holds
  std::uint32_t differing = 0;  // those whose condition is not the one of their tile's first
  site where;                   // of the first that came
  std::uint64_t scope = 0;      // in which it was called
};

// Lanes come to the entries in order, so who has come to one has come to all before it.
struct roll {
  std::uint32_t mask = 0;
  std::size_t head = 0;           // the entries before it are complete
  std::size_t next[warp_size]{};  // by lane: the entry it comes to next
  std::vector<roll_entry> entries;

  void open(std::uint32_t of) {
    mask = of;
    head = 0;
    for (std::size_t& each : next) each = 0;
    entries.clear();
  }
  bool is_complete() const { return head == entries.size(); }
};

// Where lanes go from one scope into scopes of certain members. A member's n-th scope is the n-th of every other member, so each has gone into so many.
struct entrance {
  std::uint64_t outer = 0;
  std::uint32_t members = 0;
  std::uint32_t serial = 0;          // of all entrances of the warp
  std::uint32_t furthest = 0;        // the most scopes that any member has gone into
  std::uint32_t furthest_lanes = 0;  // those that have
  std::uint32_t gone[warp_size]{};
};

// The narrowings of a block since its last barrier: what warps are to the block, lanes are to a warp. A lane's n-th is the n-th of every other.
struct block_roll {
  std::deque<roll_entry> entries;  // arrived: warps; those to which all have come are gone
  std::size_t first = 0;           // the number of the first entry

  void start() {
    entries.clear();
    first = 0;
  }
};

// Those with an open entry come first; the others keep their memory for later.
struct roll_list {
  std::vector<roll> rolls;
  std::size_t open_count = 0;
  std::vector<entrance> entrances;  // that not all members have gone through equally often
  std::uint32_t serials = 0;

  void start() {
    open_count = 0;
    entrances.clear();
    serials = 0;
  }

  roll& of(std::uint32_t mask) {
    for (std::size_t i = 0; i < open_count; ++i) {
      if (rolls[i].mask == mask) return rolls[i];
    }
    if (open_count == rolls.size()) rolls.emplace_back();
    rolls[open_count].open(mask);
    return rolls[open_count++];
  }
};

}  // namespace muster::emulator::detail
