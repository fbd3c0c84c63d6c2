// The errors of algorithms that a grid does not have.
#pragma once

#include <muster/algorithm/softmax.hpp>
#include <muster/config.hpp>
#include <muster/core/grid.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/policy/check.hpp>

MUSTER_BEGIN

namespace detail {

template <class Group>
struct group_has_this_algorithm {
  static_assert(!is_grid<Group>,
                "muster: the grid has no such algorithm: fold per block, reduce(block, shared.fold, v, op), and combine the partials in memory after sync(grid); "
                "softmax of the rows of a matrix is called from the host, muster::device::softmax");
  static constexpr bool value = true;
};

// A result that fits where the right one would, so that the one error is the only one.
template <class Group>
MUSTER_FN uniform<int, Group> refuse_algorithm() {
  static_assert(group_has_this_algorithm<Group>::value);
  return mint::make<uniform<int, Group>>(0);
}

}  // namespace detail

// Folds and scans, without a policy and with one.
template <class Dims, class... Args>
MUSTER_FN auto reduce(grid<Dims>, Args const&...) {
  return detail::refuse_algorithm<grid<Dims>>();
}
template <detail::policy Policy, class Dims, class... Args>
MUSTER_FN auto reduce(Policy, grid<Dims>, Args const&...) {
  return detail::refuse_algorithm<grid<Dims>>();
}
template <class Dims, class... Args>
MUSTER_FN auto inclusive_scan(grid<Dims>, Args const&...) {
  return detail::refuse_algorithm<grid<Dims>>();
}
template <detail::policy Policy, class Dims, class... Args>
MUSTER_FN auto inclusive_scan(Policy, grid<Dims>, Args const&...) {
  return detail::refuse_algorithm<grid<Dims>>();
}
template <class Dims, class... Args>
MUSTER_FN auto exclusive_scan(grid<Dims>, Args const&...) {
  return detail::refuse_algorithm<grid<Dims>>();
}
template <detail::policy Policy, class Dims, class... Args>
MUSTER_FN auto exclusive_scan(Policy, grid<Dims>, Args const&...) {
  return detail::refuse_algorithm<grid<Dims>>();
}
template <int Rank, class Dims, class... Args>
MUSTER_FN auto reduce_to(grid<Dims>, Args const&...) {
  return detail::refuse_algorithm<grid<Dims>>();
}
template <int Rank, detail::policy Policy, class Dims, class... Args>
MUSTER_FN auto reduce_to(Policy, grid<Dims>, Args const&...) {
  return detail::refuse_algorithm<grid<Dims>>();
}

// Softmax and its relatives.
template <empty_row Empty = empty_row::nan, class Dims, class... Args>
MUSTER_FN auto softmax(grid<Dims>, Args const&...) {
  return detail::refuse_algorithm<grid<Dims>>();
}
template <empty_row Empty = empty_row::nan, detail::policy Policy, class Dims, class... Args>
MUSTER_FN auto softmax(Policy, grid<Dims>, Args const&...) {
  return detail::refuse_algorithm<grid<Dims>>();
}
template <empty_row Empty = empty_row::nan, class Dims, class... Args>
MUSTER_FN auto log_softmax(grid<Dims>, Args const&...) {
  return detail::refuse_algorithm<grid<Dims>>();
}
template <empty_row Empty = empty_row::nan, detail::policy Policy, class Dims, class... Args>
MUSTER_FN auto log_softmax(Policy, grid<Dims>, Args const&...) {
  return detail::refuse_algorithm<grid<Dims>>();
}
template <class Dims, class... Args>
MUSTER_FN auto log_sum_exp(grid<Dims>, Args const&...) {
  return detail::refuse_algorithm<grid<Dims>>();
}
template <detail::policy Policy, class Dims, class... Args>
MUSTER_FN auto log_sum_exp(Policy, grid<Dims>, Args const&...) {
  return detail::refuse_algorithm<grid<Dims>>();
}

// Broadcasts, by a rank at run time and in the type.
template <class Dims, class... Args>
MUSTER_FN auto broadcast(grid<Dims>, Args const&...) {
  return detail::refuse_algorithm<grid<Dims>>();
}
template <int Rank, class Dims, class... Args>
MUSTER_FN auto broadcast(grid<Dims>, Args const&...) {
  return detail::refuse_algorithm<grid<Dims>>();
}

MUSTER_END
