// Groups of every kind of members, each with the plain description that results are compared with: who is in it, in which order.
//
// A kind has
//   width, threads, shape()     the tile's width, the block
//   name()                      for reports
//   label(thread)               -1: not in the group; equal labels within one aligned tile of a warp are one tile, ranked by lane
//   enter(block, body)          calls body(group) in those threads
//   facts                       which constant ranks, distances and xor masks exist, computed here from the set of lanes alone
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <muster/muster.hpp>

#include "support/values.hpp"

namespace test {

using muster::lane_set;

// What compiles on a group. All constants are derived by counting, not from the library's own facts.
struct group_facts {
  int width = 0;
  int last_rank = 0;       // the largest constant rank that every tile has
  int largest_distance = 0;
  int smallest_xor = 0;    // that is not 0, if there is one
  int largest_xor = 0;
  bool has_xor = false;
};

constexpr bool closed_under_xor(int width, std::uint32_t set, int x) {
  for (int base = 0; base < 32; base += width) {
    int count = 0;
    for (int lane = base; lane < base + width; ++lane) count += static_cast<int>(set >> lane & 1u);
    for (int rank = 0; rank < count; ++rank)
      if ((rank ^ x) >= count) return false;
  }
  return true;
}

constexpr group_facts facts_of_set(int width, std::uint32_t set) {
  group_facts result;
  result.width = width;
  int least = 33;
  for (int base = 0; base < 32; base += width) {
    int count = 0;
    for (int lane = base; lane < base + width; ++lane) count += static_cast<int>(set >> lane & 1u);
    if (count > 0 && count < least) least = count;
  }
  result.last_rank = least - 1;
  result.largest_distance = least - 1;
  result.has_xor = true;
  for (int x = width - 1; x >= 1; --x) {
    if (!closed_under_xor(width, set, x)) continue;
    if (result.largest_xor == 0) result.largest_xor = x;
    result.smallest_xor = x;
  }
  return result;
}

// A group of which only its width is known: rank 0 and any distance below the width.
constexpr group_facts facts_at_run_time(int width) {
  group_facts result;
  result.width = width;
  result.largest_distance = width - 1;
  return result;
}

std::string hexadecimal(std::uint32_t bits);

// tile<Width, lanes<S>> in each of two warps, through only<S> where S is not the whole warp.
template <int Width, std::uint32_t Bits>
struct known_lanes {
  static constexpr lane_set set{Bits};
  static constexpr int threads = 64;
  static constexpr group_facts facts = facts_of_set(Width, Bits);
  static std::string name() { return "lanes<" + hexadecimal(Bits) + ">, width " + std::to_string(Width); }
  static constexpr muster::block_dims<64> shape() { return {}; }
  static int label(int thread) { return set.contains(thread % 32) ? 0 : -1; }
  template <class Block, class Body>
  MUSTER_FN static void enter(Block block, Body const& body) {
    auto const warp = muster::this_warp(block);
    if constexpr (Bits == 0xffffffffu) {
      body(muster::tiled_partition<Width>(warp));
    } else {
      muster::only<set>(muster::tiled_partition<Width>(warp), [&](auto tile) { body(tile); });
    }
  }
};

// tile<Width, own_tile<Outer>>: every tile by itself.
template <int Width, int Outer>
struct own_tiles {
  static constexpr int threads = 64;
  static constexpr group_facts facts = facts_of_set(Width, 0xffffffffu);
  static std::string name() { return "own_tile<" + std::to_string(Outer) + ">, width " + std::to_string(Width); }
  static constexpr muster::block_dims<64> shape() { return {}; }
  static int label(int) { return 0; }
  template <class Block, class Body>
  MUSTER_FN static void enter(Block block, Body const& body) {
    muster::each_tile(muster::tiled_partition<Outer>(muster::this_warp(block)), [&](auto tile) { body(muster::tiled_partition<Width>(tile)); });
  }
};

// The warps of a whole block of known shape: all lanes, a known prefix, or ragged.
template <int Width, unsigned X, unsigned Y = 1, unsigned Z = 1>
struct whole_block {
  static constexpr int threads = static_cast<int>(X * Y * Z);
  static constexpr group_facts facts = threads % 32 == 0 ? facts_of_set(Width, 0xffffffffu)
                                       : threads < 32    ? facts_of_set(Width, (1u << threads % 32) - 1u)
                                                         : facts_at_run_time(Width);
  static std::string name() {
    return "block of " + std::to_string(X) + " x " + std::to_string(Y) + " x " + std::to_string(Z) + ", width " + std::to_string(Width);
  }
  static constexpr muster::block_dims<X, Y, Z> shape() { return {}; }
  static int label(int) { return 0; }
  template <class Block, class Body>
  MUSTER_FN static void enter(Block block, Body const& body) {
    body(muster::tiled_partition<Width>(muster::this_warp(block)));
  }
};

// The same block, its shape known at run time only: always ragged.
template <int Width, unsigned X, unsigned Y = 1, unsigned Z = 1>
struct unknown_block : whole_block<Width, X, Y, Z> {
  static constexpr group_facts facts = facts_at_run_time(Width);
  static std::string name() { return "run-time " + whole_block<Width, X, Y, Z>::name(); }
  static constexpr muster::dynamic_block_dims shape() { return {X, Y, Z}; }
};

// What a branch asks: nothing that a compiler can foresee.
MUSTER_FN inline int choice(int thread, int choices) { return static_cast<int>(scrambled(static_cast<std::uint64_t>(thread) + 77) % static_cast<unsigned>(choices)); }

// Both sides of a branch on data: two dynamic groups, each of its own type.
template <int Width, std::uint32_t Bits = 0xffffffffu>
struct branch_sides {
  static constexpr lane_set set{Bits};
  static constexpr int threads = 64;
  static constexpr group_facts facts = facts_at_run_time(Width);
  static std::string name() { return "both sides of a branch in " + known_lanes<Width, Bits>::name(); }
  static constexpr muster::block_dims<64> shape() { return {}; }
  static int label(int thread) { return set.contains(thread % 32) ? choice(thread, 2) : -1; }
  template <class Block, class Body>
  MUSTER_FN static void enter(Block block, Body const& body) {
    int const thread = muster::thread_rank(block);
    known_lanes<Width, Bits>::enter(block, [&](auto tile) {
      muster::branch(tile, choice(thread, 2) == 1, [&](auto tile) { body(tile); }, [&](auto tile) { body(tile); });
    });
  }
};

// A branch in one side of a branch in an own tile; three groups.
template <int Width>
struct nested_branches {
  static constexpr int threads = 64;
  static constexpr group_facts facts = facts_at_run_time(Width);
  static std::string name() { return "nested branches, width " + std::to_string(Width); }
  static constexpr muster::block_dims<64> shape() { return {}; }
  static int label(int thread) { return choice(thread, 4) < 2 ? choice(thread, 4) : 2; }
  template <class Block, class Body>
  MUSTER_FN static void enter(Block block, Body const& body) {
    int const mine = choice(muster::thread_rank(block), 4);
    muster::each_tile(muster::tiled_partition<Width>(muster::this_warp(block)), [&](auto tile) {
      muster::branch(
          tile, mine < 2,
          [&](auto tile) { muster::branch(tile, mine == 0, [&](auto tile) { body(tile); }, [&](auto tile) { body(tile); }); },
          [&](auto tile) { body(tile); });
    });
  }
};

// Those that are still in a loop on its third trip.
template <int Width, unsigned Threads>
struct loop_survivors {
  static constexpr int threads = static_cast<int>(Threads);
  static constexpr group_facts facts = facts_at_run_time(Width);
  static std::string name() { return "third trip of a loop in a block of " + std::to_string(Threads) + ", width " + std::to_string(Width); }
  static constexpr muster::block_dims<Threads> shape() { return {}; }
  static int label(int thread) { return choice(thread, 5) >= 3 ? 0 : -1; }
  template <class Block, class Body>
  MUSTER_FN static void enter(Block block, Body const& body) {
    int const trips = choice(muster::thread_rank(block), 5);
    int trip = 0;
    muster::loop_while(
        muster::tiled_partition<Width>(muster::this_warp(block)), [&](auto) { return trip < trips; },
        [&](auto tile) {
          ++trip;
          if (trip == 3) body(tile);  // the same trip for all that remain
        });
  }
};

// The members of a set in each tile by itself: a dynamic group, since the tiles are not full.
template <int Width, std::uint32_t Bits>
struct own_part_of_tile {
  static constexpr lane_set set{Bits};
  static constexpr int threads = 64;
  static constexpr group_facts facts = facts_at_run_time(Width);
  static std::string name() { return "each tile of " + known_lanes<Width, Bits>::name(); }
  static constexpr muster::block_dims<64> shape() { return {}; }
  static int label(int thread) { return set.contains(thread % 32) ? 0 : -1; }
  template <class Block, class Body>
  MUSTER_FN static void enter(Block block, Body const& body) {
    known_lanes<Width, Bits>::enter(block, [&](auto tile) { muster::each_tile(tile, [&](auto tile) { body(tile); }); });
  }
};

// The tiles of a kind: each a list of threads in rank order.
std::vector<std::vector<int>> tiles_of(int threads, int width, int (*label)(int thread));
template <class Kind>
std::vector<std::vector<int>> tiles_of() {
  return tiles_of(Kind::threads, Kind::facts.width, &Kind::label);
}

}  // namespace test
