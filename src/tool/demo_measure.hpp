// Running and checking the demo's kernels. For the files that launch them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <muster/buffer.hpp>
#include <muster/launch.hpp>

#include "tool/demo.hpp"
#include "tool/kernels.hpp"
#include "tool/policies.hpp"

namespace muster::tool {

// The algorithms: what a lane calls, the float64 reference of a row, and against what an error is measured.
struct demo_reduce {
  static constexpr char const* name = "reduce";
  template <class Policy, class Warp, class T>
  MUSTER_FN static auto run(Policy policy, Warp warp, T v) {
    return reduce(policy, warp, v, plus{});
  }
  static std::vector<double> reference(double const* row) {
    double sum = 0;
    for (int i = 0; i < warp_size; ++i) sum += row[i];
    return {sum};
  }
  static constexpr double scale = 32;
};
struct demo_inclusive_scan {
  static constexpr char const* name = "inclusive_scan";
  template <class Policy, class Warp, class T>
  MUSTER_FN static auto run(Policy policy, Warp warp, T v) {
    return inclusive_scan(policy, warp, v, plus{});
  }
  static std::vector<double> reference(double const* row) {
    std::vector<double> result(row, row + warp_size);
    for (int i = 1; i < warp_size; ++i) result[i] += result[i - 1];
    return result;
  }
  static constexpr double scale = 32;
};
struct demo_exclusive_scan {
  static constexpr char const* name = "exclusive_scan";
  template <class Policy, class Warp, class T>
  MUSTER_FN static auto run(Policy policy, Warp warp, T v) {
    return exclusive_scan(policy, warp, v, plus{});
  }
  static std::vector<double> reference(double const* row) {
    std::vector<double> result(warp_size);
    for (int i = 1; i < warp_size; ++i) result[i] = result[i - 1] + row[i - 1];
    return result;
  }
  static constexpr double scale = 32;
};
inline double log_sum_exp_of(double const* row) {
  double const maximum = *std::max_element(row, row + warp_size);
  double sum = 0;
  for (int i = 0; i < warp_size; ++i) sum += std::exp(row[i] - maximum);
  return maximum + std::log(sum);
}
struct demo_softmax {
  static constexpr char const* name = "softmax";
  template <class Policy, class Warp, class T>
  MUSTER_FN static auto run(Policy policy, Warp warp, T v) {
    return softmax(policy, warp, v);
  }
  static std::vector<double> reference(double const* row) {
    std::vector<double> result(row, row + warp_size);
    for (double& v : result) v = std::exp(v - log_sum_exp_of(row));
    return result;
  }
  static constexpr double scale = 0.01;
};
struct demo_log_softmax {
  static constexpr char const* name = "log_softmax";
  template <class Policy, class Warp, class T>
  MUSTER_FN static auto run(Policy policy, Warp warp, T v) {
    return log_softmax(policy, warp, v);
  }
  static std::vector<double> reference(double const* row) {
    std::vector<double> result(row, row + warp_size);
    for (double& v : result) v -= log_sum_exp_of(row);
    return result;
  }
  static constexpr double scale = 1;
};
struct demo_log_sum_exp {
  static constexpr char const* name = "log_sum_exp";
  template <class Policy, class Warp, class T>
  MUSTER_FN static auto run(Policy policy, Warp warp, T v) {
    return log_sum_exp(policy, warp, v);
  }
  static std::vector<double> reference(double const* row) { return {log_sum_exp_of(row)}; }
  static constexpr double scale = 1;
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

// One row's values, the same in every build: whole numbers for integers, normally distributed ones for the others.
template <class T>
std::vector<T> demo_values(demo_job const& job) {
  std::mt19937_64 random(job.seed);
  std::normal_distribution<double> normal(0, 2);
  std::vector<T> values(job.rows * warp_size);
  for (T& v : values) {
    double const drawn = normal(random);
    v = std::is_integral_v<T> ? static_cast<T>(static_cast<float>(std::round(drawn * 1000))) : static_cast<T>(static_cast<float>(drawn));
  }
  return values;
}

template <class T>
double as_double(T v) {
  if constexpr (std::is_arithmetic_v<T>) return static_cast<double>(v);
  else return static_cast<double>(static_cast<float>(v));
}

// Launches once to warm up and check, then again until a tenth of a second or ten launches have passed.
template <class Algorithm, class Policy, class T, class Target>
void measure(Target const& target, demo_job const& job, std::vector<T> const& values, std::vector<double> const& reference, demo_result& result) {
  using Out = demo_output<Algorithm, T>;
  buffer<T> const in(target, values);
  buffer<Out> out(target, reference.size());
  auto const blocks = static_cast<unsigned>(job.rows / rows_of_block<warp_size>);
  auto const run = [&] { launch(target, grid_dims(blocks), kernel_block{}, warp_rows<Algorithm, Policy>{}, in.data(), out.data()); };
  run();
  wait(target);
  std::vector<Out> const got = out.to_vector();
  for (std::size_t i = 0; i < got.size(); ++i) {
    double const difference = std::abs(as_double(got[i]) - reference[i]) / std::max(std::abs(reference[i]), Algorithm::scale);
    result.error = difference <= result.error ? result.error : difference;  // NaN stays
  }
  using clock = std::chrono::steady_clock;
  auto const start = clock::now();
  int launches = 0;
  do {
    run();
    ++launches;
  } while (launches < 10 && clock::now() - start < std::chrono::milliseconds(100));
  wait(target);
  double const seconds = std::chrono::duration<double>(clock::now() - start).count();
  result.values_per_second = static_cast<double>(values.size()) * launches / seconds;
  result.ran = true;
}

// All algorithms by all policies on one type. epsilon: the type's rounding; 0 for integers, which must be exact.
template <class T>
std::vector<demo_result> demo_of(demo_job const& job, char const* type, double epsilon) {
  std::vector<T> const values = demo_values<T>(job);
  std::vector<double> wide(values.size());
  std::transform(values.begin(), values.end(), wide.begin(), [](T v) { return as_double(v); });
  std::vector<demo_result> results;
  auto const each = [&]<class Algorithm>(hana::basic_type<Algorithm>) {
    std::vector<double> reference;
    for (std::size_t row = 0; row < job.rows; ++row) {
      auto const one = Algorithm::reference(wide.data() + row * warp_size);
      reference.insert(reference.end(), one.begin(), one.end());
    }
    hana::for_each(all_policies, [&]<class Policy>(hana::basic_type<Policy>) {
      if constexpr (does_demo<Algorithm, Policy, T>()) {
        demo_result result{Algorithm::name, Policy::name(), type};
        result.bound = 8 * epsilon;
        job.on_progress(std::string(Algorithm::name) + " by " + Policy::name() + " on " + type);
        if (job.on == machine::device) measure<Algorithm, Policy, T>(on_device(), job, values, reference, result);
        else if constexpr (!needs_device<Policy>) measure<Algorithm, Policy, T>(on_emulator({.seed = job.seed}), job, values, reference, result);
        results.push_back(result);
      }
    });
  };
  hana::for_each(demo_folds, each);
  if constexpr (numeric<T>::is_floating) hana::for_each(demo_exponentials, each);
  return results;
}

}  // namespace muster::tool
