// A fold guarded by the shuffle itself: shfl says whether the source is in range, and the lane folds only then.
#pragma once

#include <cstdint>
#include <type_traits>

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/fold_operation.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/lane_test.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/shuffle_mode.hpp>
#include <muster/core/site.hpp>

MUSTER_BEGIN

namespace detail {

// Stands for the lane's own value where nothing arrives: shfl itself returns that to a lane whose source is out of range.
struct own_value {};

// The machine's instruction for an operator, if it has one.
template <class Op>
inline constexpr fold_operation operation_of = std::is_same_v<Op, plus>      ? fold_operation::add
                                               : std::is_same_v<Op, minimum> ? fold_operation::least
                                               : std::is_same_v<Op, maximum> ? fold_operation::greatest
                                                                             : fold_operation::other;

// The bits of a lane's number of which one is set just in the lanes of a set; 0 if the set is not of that form.
template <lane_set S>
inline constexpr unsigned deciding_bits = cube_of(~S).exists && cube_of(~S).value == 0 ? static_cast<unsigned>(cube_of(~S).mask) : 0;

// v folded with what arrives in lanes whose source is in range, v in the others. Takes: those lanes, where they are known at compile time. Op commutes bitwise.
// Cost: shfl and the fold; one select more where the machine cannot predicate the fold.
template <shuffle_mode Mode, lane_set Takes = lane_set{}, class T, class Op>
MUSTER_FN T fold_in_range(std::uint32_t membermask, T const& v, unsigned b, unsigned c, int lane, Op const& op, site where) {
  if constexpr (backend::has_guarded_fold<operation_of<Op>, T>) {
    return backend::guarded_fold<Mode, operation_of<Op>, deciding_bits<Takes>>(membermask, v, b, c, lane, where);
  } else {
    return op(backend::shuffle_or<Mode>(membermask, v, b, c, neutral_of<Op, T>(), where), v);
  }
}

}  // namespace detail

MUSTER_END
