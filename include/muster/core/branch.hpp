// branch and each_tile: what those go on with for whom a condition holds, and the others; and each tile at its own pace.
#pragma once

#include <type_traits>

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/call_of.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/narrow_to.hpp>
#include <muster/core/narrowing_kind.hpp>
#include <muster/core/roll_call.hpp>
#include <muster/core/scope.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/with.hpp>

MUSTER_BEGIN

namespace detail {

// Names the vote in which lanes part ways: neither a vote of the user's nor another branch may be what others of the group meet them in.
template <class Then, class Otherwise>
struct branch_vote;

}  // namespace detail

// then(token, state...) in the members whose condition holds, otherwise(token, state...) in the others; the two sides have different token types.
// A plain bool may differ between members: the tokens are dynamic, and a vote finds who takes which side.
template <int Width, class Members, class... Ts, detail::body Then, detail::body Otherwise = detail::nothing>
MUSTER_FN void branch(tile<Width, Members> g, bool condition, detail::state_list<Ts...> state, Then const& then, Otherwise const& otherwise = {},
                      site where = site::here()) {
  lane_set const all = g.all_members();
  lane_set const taken{backend::ballot(all.bits, condition, detail::call_of<detail::branch_vote<Then, Otherwise>>(where))};
  if (condition) {
    detail::enter(detail::narrow_to<Then, true>(g, taken), then, state, where);
  } else if constexpr (!std::is_same_v<Otherwise, detail::nothing>) {
    detail::enter(detail::narrow_to<Otherwise, false>(g, all - taken), otherwise, state, where);
  }
}
template <int Width, class Members, detail::body Then, detail::body Otherwise = detail::nothing>
MUSTER_FN void branch(tile<Width, Members> g, bool condition, Then const& then, Otherwise const& otherwise = {}, site where = site::here()) {
  branch(g, condition, with(), then, otherwise, where);
}

// A condition that is uniform needs no vote: the token itself goes on where all its members agree (one tile, or a condition uniform in the block); where each tile
// decides for itself, the caller's tile does: own_tile<Width> if all tiles are full, otherwise dynamic.
template <int Width, class Members, class T, class ConditionGroup, class... Ts, detail::body Then, detail::body Otherwise = detail::nothing>
MUSTER_FN void branch(tile<Width, Members> g, uniform<T, ConditionGroup> condition, detail::state_list<Ts...> state, Then const& then,
                      Otherwise const& otherwise = {}, site where = site::here()) {
  bool const taken = static_cast<bool>(condition.value());
  detail::call_roll_on(taken, g, narrowing_kind::branch, detail::agreeing_width<ConditionGroup, Width>, where);
  if (taken) {
    detail::enter(detail::narrow_to_agreeing<Then, ConditionGroup>(g), then, state, where);
  } else if constexpr (!std::is_same_v<Otherwise, detail::nothing>) {
    detail::enter(detail::narrow_to_agreeing<Otherwise, ConditionGroup>(g), otherwise, state, where);
  }
}
template <int Width, class Members, class T, class ConditionGroup, detail::body Then, detail::body Otherwise = detail::nothing>
MUSTER_FN void branch(tile<Width, Members> g, uniform<T, ConditionGroup> condition, Then const& then, Otherwise const& otherwise = {}, site where = site::here()) {
  branch(g, condition, with(), then, otherwise, where);
}

// body(token, state...) in every tile, with a token that names the caller's tile alone: tiles may then part ways, loop at their own pace or leave early.
// Tokens: the group itself if it has one tile, own_tile<Width> if all its tiles are full, otherwise dynamic. Cost: the mask is computed at run time, and the
// hardware checks convergence before each shuffle; stay with the outer token where tiles go together.
template <int Width, class Members, class... Ts, detail::body Body>
MUSTER_FN void each_tile(tile<Width, Members> g, detail::state_list<Ts...> state, Body const& body, site where = site::here()) {
  detail::call_roll(g, narrowing_kind::each_tile, 0, where);
  detail::enter(detail::narrow_to_tile<Body>(g), body, state, where);
}
template <int Width, class Members, detail::body Body>
MUSTER_FN void each_tile(tile<Width, Members> g, Body const& body, site where = site::here()) {
  each_tile(g, with(), body, where);
}

MUSTER_END
