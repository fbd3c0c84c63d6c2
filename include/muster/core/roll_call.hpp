// The roll of a narrowing function: each member says that it came. Nothing on a GPU, where narrowing without a vote is no instruction; the emulator learns who stayed away
// and whose uniform condition differs. It orders nobody: the caller goes on at once.
#pragma once

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/narrowing_kind.hpp>
#include <muster/core/site.hpp>

MUSTER_BEGIN

namespace detail {

// number: what else must agree between the members, a rank or a set of lanes.
template <class Tile>
MUSTER_FN void call_roll([[maybe_unused]] Tile g, [[maybe_unused]] narrowing_kind which, [[maybe_unused]] unsigned number, [[maybe_unused]] site where) {
#if !MUSTER_ON_DEVICE
  emulator::roll_call(which, g.all_members().bits, Tile::width, number, roll_answer::here, where);
#endif
}

// The caller also says its condition, which is the same in aligned groups of `width` lanes.
template <class Tile>
MUSTER_FN void call_roll_on([[maybe_unused]] bool condition, [[maybe_unused]] Tile g, [[maybe_unused]] narrowing_kind which, [[maybe_unused]] int width,
                            [[maybe_unused]] site where) {
#if !MUSTER_ON_DEVICE
  emulator::roll_call(which, g.all_members().bits, width, 0, condition ? roll_answer::yes : roll_answer::no, where);
#endif
}

// Of a block's narrowing; its roll is kept by warps.
MUSTER_FN inline void call_roll_of_block([[maybe_unused]] narrowing_kind which, [[maybe_unused]] unsigned number, [[maybe_unused]] site where) {
#if !MUSTER_ON_DEVICE
  emulator::roll_call_of_block(which, number, where);
#endif
}

}  // namespace detail

MUSTER_END
