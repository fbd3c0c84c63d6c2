// The words of a plan whose steps take their operands from the table, for code that runs in a lane.
#pragma once

#include <cstdint>

#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/plan/plan.hpp>
#include <muster/plan/plan_for.hpp>

namespace muster::plan {

struct word_table {
  std::uint32_t of[warp_size]{};
};

constexpr word_table words_of(plan const& p) {
  word_table result;
  for (int lane = 0; lane < warp_size; ++lane) result.of[lane] = p.words[lane];
  return result;
}

// The tables as constants of their own: an initialiser in code for both machines may name a constant, but not call a host function.
template <int Width, lane_set Members, kind Kind>
inline constexpr word_table words_for = words_of(plan_for<Width, Members, Kind>);

template <int Width, lane_set Members, move Move, int N>
inline constexpr word_table move_words_for = words_of(move_for<Width, Members, Move, N>);

// A lane's word: five bits a step, from bit 5 * index on. Read once per plan, by plans that use the table.
// The table is static in the function, because nvcc puts it into constant-initialised global memory there, and into local memory without static.
template <int Width, lane_set Members, kind Kind>
MUSTER_FN inline std::uint32_t table_word(int lane) {
  static constexpr word_table words = words_for<Width, Members, Kind>;
  return words.of[lane];
}

template <int Width, lane_set Members, move Move, int N>
MUSTER_FN inline std::uint32_t table_word(int lane) {
  static constexpr word_table words = move_words_for<Width, Members, Move, N>;
  return words.of[lane];
}

}  // namespace muster::plan
