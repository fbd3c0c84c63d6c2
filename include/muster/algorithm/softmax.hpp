// softmax, log_softmax and log_sum_exp over the values of a tile. Every member must call the same function together.
#pragma once

#include <muster/algorithm/reduce.hpp>
#include <muster/backend/math.hpp>
#include <muster/config.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/policy/automatic.hpp>

MUSTER_BEGIN

// What softmax gives for a row of which every value is -inf: 0/0, as PyTorch does, or 0 everywhere.
enum class empty_row : unsigned char { nan, zero };

namespace detail {

template <class T>
struct softmax_type {
  static_assert(numeric<T>::is_floating, "muster::softmax/log_sum_exp: floating-point values (float, double, and with half.hpp the 16-bit types)");
  static constexpr bool value = true;
};

// 16-bit types are summed in float; others in themselves. half.hpp specialises it.
template <class T>
struct accumulator {
  using type = T;
};
template <class T>
using accumulator_t = typename accumulator<T>::type;

// The maximum of a tile's values and the sum of exp(value - maximum); exponentials stay in `values`.
template <class A>
struct exponential_sum {
  A maximum;
  A sum;
};

// Which maxima are taken as 0 instead, so that they do not become inf - inf.
enum class replaced_maximum : unsigned char { none, lowest, infinite };

// What exponentials are relative to, and is subtracted from each value: the maximum, or 0 in its place.
template <replaced_maximum Replaced, class A>
MUSTER_FN A reference_of(A maximum) {
  bool replaced = false;
  if constexpr (Replaced == replaced_maximum::lowest) replaced = maximum == numeric<A>::lowest();
  if constexpr (Replaced == replaced_maximum::infinite) replaced = backend::is_infinite(maximum);
  return replaced ? A(0) : maximum;
}
// A part of a row, of which nothing may be left but -inf, never subtracts -inf: the whole row decides what that means.
template <replaced_maximum Replaced>
inline constexpr replaced_maximum replaced_in_part = Replaced == replaced_maximum::infinite ? Replaced : replaced_maximum::lowest;

template <class Policy, replaced_maximum Replaced, class Group, class A, int N>
MUSTER_FN exponential_sum<A> exponentiate(Policy policy, Group g, A (&values)[N], site where) {
  A const maximum = reference_of<Replaced>(reduce(policy, g, values, muster::maximum{}, where).value());
MUSTER_UNROLL
  for (int i = 0; i < N; ++i) values[i] = backend::natural_exp(values[i] - maximum);
  return {maximum, reduce(policy, g, values, plus{}, where).value()};
}

// A row of only -inf is empty; a +inf makes the row NaN either way.
template <empty_row Empty>
inline constexpr replaced_maximum replaced_for = Empty == empty_row::zero ? replaced_maximum::lowest : replaced_maximum::none;

template <class T, int N>
struct widened {
  accumulator_t<T> values[N];
  MUSTER_FN explicit widened(T const (&from)[N]) {
MUSTER_UNROLL
    for (int i = 0; i < N; ++i) values[i] = static_cast<accumulator_t<T>>(from[i]);
  }
};

// The three algorithms on any group for which reduce(policy, group, values, op, where) is.
template <empty_row Empty, class Policy, class Group, class T, int N>
MUSTER_FN void softmax_of(Policy policy, Group g, T (&values)[N], site where) {
  static_assert(softmax_type<T>::value);
  widened<T, N> wide(values);
  auto const sum = exponentiate<Policy, replaced_for<Empty>>(policy, g, wide.values, where).sum;
  using A = accumulator_t<T>;
  // The largest exponential is 1, so a sum is no denormal.
  A const scale = Empty == empty_row::zero && sum == A(0) ? A(0) : backend::reciprocal_of_normal(sum);
MUSTER_UNROLL
  for (int i = 0; i < N; ++i) values[i] = static_cast<T>(wide.values[i] * scale);
}

template <empty_row Empty, class Policy, class Group, class T, int N>
MUSTER_FN void log_softmax_of(Policy policy, Group g, T (&values)[N], site where) {
  static_assert(softmax_type<T>::value);
  widened<T, N> wide(values);
  auto const row = exponentiate<Policy, replaced_for<Empty>>(policy, g, wide.values, where);
  using A = accumulator_t<T>;
  A const log_sum = Empty == empty_row::zero && row.sum == A(0) ? A(0) : backend::natural_log(row.sum);
MUSTER_UNROLL
  for (int i = 0; i < N; ++i) values[i] = static_cast<T>(static_cast<A>(values[i]) - row.maximum - log_sum);
}

template <class Policy, class Group, class T, int N>
MUSTER_FN accumulator_t<T> log_sum_exp_of(Policy policy, Group g, T const (&values)[N], site where) {
  static_assert(softmax_type<T>::value);
  widened<T, N> wide(values);
  auto const row = exponentiate<Policy, replaced_maximum::infinite>(policy, g, wide.values, where);
  return row.maximum + backend::natural_log(row.sum);
}

}  // namespace detail

// values[i] becomes exp(values[i] - m) / sum of exp(v - m) over all values of the tile, m their maximum. -inf gives 0; NaN or +inf anywhere makes the whole row NaN; spreads of any
// size do not overflow; a row of only -inf gives NaN, or 0 with empty_row::zero. 16-bit types are summed in float. Cost: two reductions and an exponential a value.
template <empty_row Empty = empty_row::nan, detail::policy Policy, int Width, class Members, class T, int N>
MUSTER_FN void softmax(Policy policy, tile<Width, Members> g, T (&values)[N], site where = site::here()) {
  detail::softmax_of<Empty>(policy, g, values, where);
}
template <empty_row Empty = empty_row::nan, int Width, class Members, class T, int N>
MUSTER_FN void softmax(tile<Width, Members> g, T (&values)[N], site where = site::here()) {
  softmax<Empty>(policy::automatic, g, values, where);
}
template <empty_row Empty = empty_row::nan, detail::policy Policy, int Width, class Members, class T>
MUSTER_RESULT_FN T softmax(Policy policy, tile<Width, Members> g, T v, site where = site::here()) {
  T values[1] = {v};
  softmax<Empty>(policy, g, values, where);
  return values[0];
}
template <empty_row Empty = empty_row::nan, int Width, class Members, class T>
MUSTER_RESULT_FN T softmax(tile<Width, Members> g, T v, site where = site::here()) {
  return softmax<Empty>(policy::automatic, g, v, where);
}

// values[i] becomes values[i] - m - log(sum of exp(v - m)): the logarithm of softmax without its underflow. Special values as softmax; with empty_row::zero, a row of only
// -inf gives -inf, the logarithm of 0. Cost: as softmax, and one logarithm.
template <empty_row Empty = empty_row::nan, detail::policy Policy, int Width, class Members, class T, int N>
MUSTER_FN void log_softmax(Policy policy, tile<Width, Members> g, T (&values)[N], site where = site::here()) {
  detail::log_softmax_of<Empty>(policy, g, values, where);
}
template <empty_row Empty = empty_row::nan, int Width, class Members, class T, int N>
MUSTER_FN void log_softmax(tile<Width, Members> g, T (&values)[N], site where = site::here()) {
  log_softmax<Empty>(policy::automatic, g, values, where);
}
template <empty_row Empty = empty_row::nan, detail::policy Policy, int Width, class Members, class T>
MUSTER_RESULT_FN T log_softmax(Policy policy, tile<Width, Members> g, T v, site where = site::here()) {
  T values[1] = {v};
  log_softmax<Empty>(policy, g, values, where);
  return values[0];
}
template <empty_row Empty = empty_row::nan, int Width, class Members, class T>
MUSTER_RESULT_FN T log_softmax(tile<Width, Members> g, T v, site where = site::here()) {
  return log_softmax<Empty>(policy::automatic, g, v, where);
}

// Every member gets log(sum of exp(v)) over all values of the tile, without overflow: -inf for a row of only -inf, +inf if +inf is among them, NaN if a NaN is.
// The type is the accumulator's: float for 16-bit types. Cost: two reductions, an exponential a value, one logarithm.
template <detail::policy Policy, int Width, class Members, class T, int N>
MUSTER_FN auto log_sum_exp(Policy policy, tile<Width, Members> g, T const (&values)[N], site where = site::here()) {
  return detail::mint::make<uniform<detail::accumulator_t<T>, tile<Width, Members>>>(detail::log_sum_exp_of(policy, g, values, where));
}
template <int Width, class Members, class T, int N>
MUSTER_FN auto log_sum_exp(tile<Width, Members> g, T const (&values)[N], site where = site::here()) {
  return log_sum_exp(policy::automatic, g, values, where);
}
template <detail::policy Policy, int Width, class Members, class T>
MUSTER_FN auto log_sum_exp(Policy policy, tile<Width, Members> g, T v, site where = site::here()) {
  T const values[1] = {v};
  return log_sum_exp(policy, g, values, where);
}
template <int Width, class Members, class T>
MUSTER_FN auto log_sum_exp(tile<Width, Members> g, T v, site where = site::here()) {
  return log_sum_exp(policy::automatic, g, v, where);
}

MUSTER_END
