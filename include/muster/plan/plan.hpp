// What a plan is: data movement among the lanes of a warp as a constant. A plan is up to six steps; each step is one shuffle.
#pragma once

#include <cstdint>

#include <muster/core/lane_set.hpp>
#include <muster/core/shuffle_mode.hpp>

namespace muster::plan {

// How a lane forms the b operand of its shuffle.
enum class operand : std::uint8_t {
  constant,   // arg
  keep_xor,   // (lane & keep) ^ arg
  table,      // five bits of the lane's word in plan::words
};

// How a lane knows whether to use what it received.
enum class guard : std::uint8_t {
  always,     // every member uses it
  in_range,   // those whose source shfl itself calls in range
  lane_test,  // those in `takes`
};

// One shuffle and what each lane does with what it receives. Zero defaults only: g++ 12.2 miscompiles arrays of anything else.
struct step {
  shuffle_mode mode{};
  operand from{};
  guard use{};
  std::uint8_t arg = 0;
  std::uint8_t keep = 0;
  std::uint16_t c = 0;          // shfl's c operand: clamp in bits 0-4, segment mask in bits 8-12
  bool replaces = false;        // the received value takes the place of the lane's own; otherwise it is folded into it
  lane_set takes;               // the lanes that use what they receive
  lane_set received_is_left;    // the lanes in which the received value is the left operand of the fold
};

struct plan {
  int count = 0;
  step steps[6]{};
  std::uint32_t words[warp_size]{};  // per lane, five bits a step, for steps that take their operand from the table
  bool uses_table = false;

  // The b operand of a lane in a step.
  MUSTER_FN constexpr unsigned operand_of(int index, int lane) const {
    step const& s = steps[index];
    switch (s.from) {
      case operand::constant: return s.arg;
      case operand::keep_xor: return (static_cast<unsigned>(lane) & s.keep) ^ s.arg;
      case operand::table: return words[lane] >> (5 * index) & 31u;
    }
    return 0;
  }
};

// What a plan computes in each tile, over its members in rank order (a, b, c, ...).
enum class kind : std::uint8_t {
  all_reduce,      // every member: a·b·c·...
  inclusive_scan,  // member r: a·...·(r-th)
  exclusive_scan,  // member r: a·...·((r-1)-th); rank 0: nothing arrives, it holds the identity
};

// Moves: plans of one step that replace.
enum class move : std::uint8_t {
  from_rank,  // every member reads rank N of its tile
  exchange,   // rank r reads rank r ^ N
  up,         // rank r reads rank r - N; the first N take nothing
  down,       // rank r reads rank r + N; the last N take nothing
};

}  // namespace muster::plan
