// Running and checking the demo's kernels. For the files that launch them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <muster/buffer.hpp>
#include <muster/launch.hpp>

#include "tool/demo.hpp"
#include "tool/kernels.hpp"
#include "tool/policies.hpp"

namespace muster::tool {

// The distance from 1 to the next value: what errors are counted in. 0 for integers, which must be exact.
template <class T>
inline constexpr double demo_step = static_cast<double>(std::numeric_limits<T>::epsilon());

// The algorithms: what a lane calls, a row's results in the wider type Real, the least size that an error is measured against, and how many steps it may have.
// A sum of 32 passes through five additions of values of some size; before the sum of softmax stands an exponential of a rounded difference, behind it a division.
struct demo_reduce {
  static constexpr char const* name = "reduce";
  static constexpr double scale = warp_size;
  static constexpr double steps = 8;
  static constexpr bool accumulates_as_it_is = true;
  template <class Policy, class Warp, class T>
  MUSTER_FN static auto run(Policy policy, Warp warp, T v) {
    return reduce(policy, warp, v, plus{});
  }
  template <class Real>
  static std::vector<Real> reference(std::span<Real const> row) {
    return {std::accumulate(row.begin(), row.end(), Real(0))};
  }
};
struct demo_inclusive_scan {
  static constexpr char const* name = "inclusive_scan";
  static constexpr double scale = warp_size;
  static constexpr double steps = 8;
  static constexpr bool accumulates_as_it_is = true;
  template <class Policy, class Warp, class T>
  MUSTER_FN static auto run(Policy policy, Warp warp, T v) {
    return inclusive_scan(policy, warp, v, plus{});
  }
  template <class Real>
  static std::vector<Real> reference(std::span<Real const> row) {
    std::vector<Real> result(row.size());
    std::inclusive_scan(row.begin(), row.end(), result.begin());
    return result;
  }
};
struct demo_exclusive_scan {
  static constexpr char const* name = "exclusive_scan";
  static constexpr double scale = warp_size;
  static constexpr double steps = 8;
  static constexpr bool accumulates_as_it_is = true;
  template <class Policy, class Warp, class T>
  MUSTER_FN static auto run(Policy policy, Warp warp, T v) {
    return exclusive_scan(policy, warp, v, plus{});
  }
  template <class Real>
  static std::vector<Real> reference(std::span<Real const> row) {
    std::vector<Real> result(row.size());
    std::exclusive_scan(row.begin(), row.end(), result.begin(), Real(0));
    return result;
  }
};

template <class Real>
Real log_sum_exp_of(std::span<Real const> row) {
  Real const maximum = *std::max_element(row.begin(), row.end());
  Real sum = 0;
  for (Real v : row) sum += std::exp(v - maximum);
  return maximum + std::log(sum);
}
struct demo_softmax {
  static constexpr char const* name = "softmax";
  static constexpr double scale = 0.01;
  static constexpr double steps = 16;
  static constexpr bool accumulates_as_it_is = false;
  template <class Policy, class Warp, class T>
  MUSTER_FN static auto run(Policy policy, Warp warp, T v) {
    return softmax(policy, warp, v);
  }
  template <class Real>
  static std::vector<Real> reference(std::span<Real const> row) {
    Real const whole = log_sum_exp_of(row);
    std::vector<Real> result;
    for (Real v : row) result.push_back(std::exp(v - whole));
    return result;
  }
};
struct demo_log_softmax {
  static constexpr char const* name = "log_softmax";
  static constexpr double scale = 1;
  static constexpr double steps = 8;
  static constexpr bool accumulates_as_it_is = false;
  template <class Policy, class Warp, class T>
  MUSTER_FN static auto run(Policy policy, Warp warp, T v) {
    return log_softmax(policy, warp, v);
  }
  template <class Real>
  static std::vector<Real> reference(std::span<Real const> row) {
    Real const whole = log_sum_exp_of(row);
    std::vector<Real> result;
    for (Real v : row) result.push_back(v - whole);
    return result;
  }
};
struct demo_log_sum_exp {
  static constexpr char const* name = "log_sum_exp";
  static constexpr double scale = 1;
  static constexpr double steps = 8;
  static constexpr bool accumulates_as_it_is = false;
  template <class Policy, class Warp, class T>
  MUSTER_FN static auto run(Policy policy, Warp warp, T v) {
    return log_sum_exp(policy, warp, v);
  }
  template <class Real>
  static std::vector<Real> reference(std::span<Real const> row) {
    return {log_sum_exp_of(row)};
  }
};

inline constexpr auto demo_folds = hana::tuple_t<demo_reduce, demo_inclusive_scan, demo_exclusive_scan>;
inline constexpr auto demo_exponentials = hana::tuple_t<demo_softmax, demo_log_softmax, demo_log_sum_exp>;

template <class Algorithm, class Policy, class T>
consteval bool does_demo() {
  using warp = tile<warp_size>;
  if constexpr (std::is_same_v<Algorithm, demo_reduce>) return can_reduce<Policy, plus, T, warp>();
  else if constexpr (std::is_same_v<Algorithm, demo_inclusive_scan> || std::is_same_v<Algorithm, demo_exclusive_scan>) return can_scan<Policy, plus, T, warp>();
  else return can_softmax<Policy, detail::accumulator_t<T>, warp>();
}

// The type of one lane's result.
template <class Algorithm, class T>
using demo_output = std::conditional_t<std::is_same_v<Algorithm, demo_log_sum_exp>, detail::accumulator_t<T>, T>;

// Whole numbers as large as their sums stay exact in float64, normally distributed values for the other types.
template <class T>
std::vector<T> demo_values(demo_job const& job) {
  std::mt19937_64 random(job.seed);
  std::vector<T> values(job.rows * warp_size);
  if constexpr (std::is_integral_v<T>) {
    std::int64_t const largest = std::int64_t{1} << (sizeof(T) == 4 ? 25 : 46);
    std::uniform_int_distribution<std::int64_t> drawn(-largest, largest);
    for (T& v : values) v = static_cast<T>(drawn(random));
  } else {
    std::normal_distribution<double> drawn(0, 2);
    for (T& v : values) {
      if constexpr (std::is_arithmetic_v<T>) v = static_cast<T>(drawn(random));
      else v = static_cast<T>(static_cast<float>(drawn(random)));
    }
  }
  return values;
}

// What a reference is computed in: float64, and for float64 itself something wider.
template <class T>
using demo_real = std::conditional_t<std::is_same_v<T, double>, long double, double>;

template <class T>
double as_double(T v) {
  if constexpr (std::is_arithmetic_v<T>) return static_cast<double>(v);
  else return static_cast<double>(static_cast<float>(v));
}

// The launch of a kernel without its type, so that measuring is compiled once for each pair of types.
template <class In, class Out>
using demo_launcher = void (*)(demo_job const& job, In const* in, Out* out);
inline grid_dims demo_grid(demo_job const& job) { return grid_dims(static_cast<unsigned>(job.rows / rows_of_block<warp_size>)); }
template <class Algorithm, class Policy, class In, class Out>
void launch_demo_on_device(demo_job const& job, In const* in, Out* out) {
  launch(on_device(), demo_grid(job), kernel_block{}, warp_rows<Algorithm, Policy>{}, in, out);
}
template <class Algorithm, class Policy, class In, class Out>
void launch_demo_on_emulator(demo_job const& job, In const* in, Out* out) {
  launch(on_emulator({.seed = job.seed}), demo_grid(job), kernel_block{}, warp_rows<Algorithm, Policy>{}, in, out);
}

// Launches once to warm up and check, then again for a twentieth of a second, but at most as often as a GPU needs for a figure.
template <class Target, class T, class Out>
void measure(Target const& target, demo_launcher<T, Out> launcher, double scale, demo_job const& job, std::vector<T> const& values, std::vector<demo_real<T>> const& reference,
             demo_result& result) {
  buffer<T> const in(target, values);
  buffer<Out> out(target, reference.size());
  launcher(job, in.data(), out.data());
  wait(target);
  std::vector<Out> const got = out.to_vector();
  for (std::size_t i = 0; i < got.size(); ++i) {
    demo_real<T> const size = std::max(std::abs(reference[i]), demo_real<T>(scale));
    auto const error = static_cast<double>(std::abs(as_double(got[i]) - reference[i]) / size);
    result.error = error <= std::numeric_limits<double>::max() ? std::max(result.error, error) : std::numeric_limits<double>::infinity();
  }
  using clock = std::chrono::steady_clock;
  auto const start = clock::now();
  int launches = 0;
  do {
    launcher(job, in.data(), out.data());
    ++launches;
  } while (launches < 200 && clock::now() - start < std::chrono::milliseconds(50));
  wait(target);
  double const seconds = std::chrono::duration<double>(clock::now() - start).count();
  result.values_per_second = static_cast<double>(values.size()) * launches / seconds;
  result.ran = true;
}

// What an error must not exceed: some steps of the type that is computed in, and half a step of a narrower one in which the result is given.
template <class Algorithm, class T>
double demo_bound() {
  if constexpr (!numeric<T>::is_floating || Algorithm::accumulates_as_it_is) {
    return Algorithm::steps * demo_step<T>;
  } else {
    using wide = detail::accumulator_t<T>;
    return Algorithm::steps * demo_step<wide> + (std::is_same_v<demo_output<Algorithm, T>, wide> ? 0 : demo_step<T> / 2);
  }
}

// All algorithms by all policies on one type.
template <class T>
std::vector<demo_result> demo_of(demo_job const& job, char const* type) {
  std::vector<T> const values = demo_values<T>(job);
  std::vector<demo_real<T>> wide(values.size());
  std::transform(values.begin(), values.end(), wide.begin(), [](T v) { return as_double(v); });
  std::vector<demo_result> results;
  auto const each = [&]<class Algorithm>(hana::basic_type<Algorithm>) {
    std::vector<demo_real<T>> reference;
    for (std::size_t row = 0; row < job.rows; ++row) {
      auto const one = Algorithm::reference(std::span<demo_real<T> const>(wide).subspan(row * warp_size, warp_size));
      reference.insert(reference.end(), one.begin(), one.end());
    }
    hana::for_each(all_policies, [&]<class Policy>(hana::basic_type<Policy>) {
      if constexpr (does_demo<Algorithm, Policy, T>()) {
        demo_result result{Algorithm::name, Policy::name(), type};
        result.bound = demo_bound<Algorithm, T>();
        job.on_progress(std::string(Algorithm::name) + " by " + Policy::name() + " on " + type);
        using Out = demo_output<Algorithm, T>;
        if (job.on == machine::device)
          measure<device_target, T, Out>(on_device(), &launch_demo_on_device<Algorithm, Policy, T, Out>, Algorithm::scale, job, values, reference, result);
        else if constexpr (!needs_device<Policy>)
          measure<emulator_target, T, Out>(on_emulator(), &launch_demo_on_emulator<Algorithm, Policy, T, Out>, Algorithm::scale, job, values, reference, result);
        results.push_back(result);
      }
    });
  };
  hana::for_each(demo_folds, each);
  if constexpr (numeric<T>::is_floating) hana::for_each(demo_exponentials, each);
  return results;
}

}  // namespace muster::tool
