// softmax, log_softmax and log_sum_exp over the values of a whole block. Every thread must call the same function together, in no narrowed scope.
#pragma once

#include <type_traits>

#include <muster/algorithm/block_reduce.hpp>
#include <muster/algorithm/block_storage.hpp>
#include <muster/algorithm/softmax.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/site.hpp>
#include <muster/core/uniform.hpp>
#include <muster/policy/automatic.hpp>
#include <muster/policy/check.hpp>

MUSTER_BEGIN

namespace detail {

// A block and the storage of a call, as one group.
template <class Dims, class Storage>
struct block_in_storage {
  block<Dims> group;
  Storage& storage;
};

// The storage was declared for T; a reduction of its accumulators takes no more room.
template <class T, class A>
inline constexpr bool accumulators_fit = sizeof(A) <= 4 || sizeof(A) == sizeof(T);

}  // namespace detail

// What softmax asks of a group; not for the user, whose call names the storage.
template <class Policy, class Dims, class Storage, class A, int N, class Op>
MUSTER_FN uniform<A, block<Dims>> reduce(Policy, detail::block_in_storage<Dims, Storage> g, A const (&values)[N], Op op, site where) {
  static_assert(detail::accumulators_fit<typename Storage::value_type, A>);
  A const own = detail::fold_own_total(values, op);
  using algorithms = detail::block_algorithms<Policy, Storage>;
  if constexpr (detail::is_own_storage<Storage>)
    return detail::mint::make<uniform<A, block<Dims>>>(algorithms::template reduce<detail::fold_purpose::step>(g.group, g.storage, own, op, where));
  else
    return detail::mint::make<uniform<A, block<Dims>>>(algorithms::reduce(g.group, g.storage, own, op, where));
}

// values[i] becomes exp(values[i] - m) / sum of exp(v - m) over all values of the block, m their maximum. Special values as softmax of a tile (softmax.hpp): -inf gives 0,
// NaN or +inf anywhere makes everything NaN, only -inf gives NaN, or 0 with empty_row::zero. 16-bit types are summed in float; the storage is block_storage<T, Dims>.
// Cost: two reductions of the block, four barriers, and an exponential a value.
template <empty_row Empty = empty_row::nan, detail::policy Policy, class Dims, detail::storage Storage, class T, int N>
MUSTER_FN void softmax(Policy policy, block<Dims> b, Storage& storage, T (&values)[N], site where = site::here()) {
  static_assert(detail::storage_fits_call<T, Dims, Storage>::value);
  detail::softmax_of<Empty>(policy, detail::block_in_storage<Dims, Storage>{b, storage}, values, where);
}
template <empty_row Empty = empty_row::nan, class Dims, detail::storage Storage, class T, int N>
MUSTER_FN void softmax(block<Dims> b, Storage& storage, T (&values)[N], site where = site::here()) {
  softmax<Empty>(policy::automatic, b, storage, values, where);
}
template <empty_row Empty = empty_row::nan, detail::policy Policy, class Dims, detail::storage Storage, class T>
MUSTER_RESULT_FN T softmax(Policy policy, block<Dims> b, Storage& storage, T v, site where = site::here()) {
  T values[1] = {v};
  softmax<Empty>(policy, b, storage, values, where);
  return values[0];
}
template <empty_row Empty = empty_row::nan, class Dims, detail::storage Storage, class T>
MUSTER_RESULT_FN T softmax(block<Dims> b, Storage& storage, T v, site where = site::here()) {
  return softmax<Empty>(policy::automatic, b, storage, v, where);
}

// values[i] becomes values[i] - m - log(sum of exp(v - m)): the logarithm of softmax without its underflow; with empty_row::zero, a block of only -inf gives -inf.
// Cost: as softmax, and one logarithm.
template <empty_row Empty = empty_row::nan, detail::policy Policy, class Dims, detail::storage Storage, class T, int N>
MUSTER_FN void log_softmax(Policy policy, block<Dims> b, Storage& storage, T (&values)[N], site where = site::here()) {
  static_assert(detail::storage_fits_call<T, Dims, Storage>::value);
  detail::log_softmax_of<Empty>(policy, detail::block_in_storage<Dims, Storage>{b, storage}, values, where);
}
template <empty_row Empty = empty_row::nan, class Dims, detail::storage Storage, class T, int N>
MUSTER_FN void log_softmax(block<Dims> b, Storage& storage, T (&values)[N], site where = site::here()) {
  log_softmax<Empty>(policy::automatic, b, storage, values, where);
}
template <empty_row Empty = empty_row::nan, detail::policy Policy, class Dims, detail::storage Storage, class T>
MUSTER_RESULT_FN T log_softmax(Policy policy, block<Dims> b, Storage& storage, T v, site where = site::here()) {
  T values[1] = {v};
  log_softmax<Empty>(policy, b, storage, values, where);
  return values[0];
}
template <empty_row Empty = empty_row::nan, class Dims, detail::storage Storage, class T>
MUSTER_RESULT_FN T log_softmax(block<Dims> b, Storage& storage, T v, site where = site::here()) {
  return log_softmax<Empty>(policy::automatic, b, storage, v, where);
}

// Every thread gets log(sum of exp(v)) over all values of the block, with the same bits, without overflow: -inf for only -inf, +inf if +inf is among them, NaN if a NaN is.
// The type is the accumulator's: float for 16-bit types. Cost: two reductions of the block, an exponential a value, one logarithm.
template <detail::policy Policy, class Dims, detail::storage Storage, class T, int N>
MUSTER_FN auto log_sum_exp(Policy policy, block<Dims> b, Storage& storage, T const (&values)[N], site where = site::here()) {
  static_assert(detail::storage_fits_call<T, Dims, Storage>::value);
  using result = uniform<detail::accumulator_t<T>, block<Dims>>;
  return detail::mint::make<result>(detail::log_sum_exp_of(policy, detail::block_in_storage<Dims, Storage>{b, storage}, values, where));
}
template <class Dims, detail::storage Storage, class T, int N>
MUSTER_FN auto log_sum_exp(block<Dims> b, Storage& storage, T const (&values)[N], site where = site::here()) {
  return log_sum_exp(policy::automatic, b, storage, values, where);
}
template <detail::policy Policy, class Dims, detail::storage Storage, class T>
MUSTER_FN auto log_sum_exp(Policy policy, block<Dims> b, Storage& storage, T v, site where = site::here()) {
  T const values[1] = {v};
  return log_sum_exp(policy, b, storage, values, where);
}
template <class Dims, detail::storage Storage, class T>
MUSTER_FN auto log_sum_exp(block<Dims> b, Storage& storage, T v, site where = site::here()) {
  return log_sum_exp(policy::automatic, b, storage, v, where);
}

MUSTER_END
