// A fold guarded by the shuffle itself: shfl says whether the source is in range, and the lane folds only then.
#pragma once

#include <cstdint>
#include <type_traits>

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/fold_operation.hpp>
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

// v folded with what arrives in lanes whose source is in range, v in the others. Op commutes bitwise.
// Cost: shfl and the fold; one select more where the machine cannot predicate the fold.
template <shuffle_mode Mode, class T, class Op>
MUSTER_FN T fold_in_range(std::uint32_t membermask, T const& v, unsigned b, unsigned c, Op const& op, site where) {
  if constexpr (backend::has_guarded_fold<operation_of<Op>, T>) {
    return backend::guarded_fold<Mode, operation_of<Op>>(membermask, v, b, c, where);
  } else {
    return op(backend::shuffle_or<Mode>(membermask, v, b, c, neutral_of<Op, T>(), where), v);
  }
}

}  // namespace detail

MUSTER_END
