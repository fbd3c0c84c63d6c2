// What folds should give, computed on the host and apart from the library's operators.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include <muster/core/operators.hpp>

namespace policy_test {

template <class T>
T wrapped(unsigned long long value) {
  return static_cast<T>(value);
}

// The host's arithmetic of a type. Integers wrap; of two numbers one of which is NaN the other is the lesser and the greater; -0 is less than +0.
template <class T>
struct host_math {
  using limits = std::numeric_limits<T>;
  static T sum(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) return a + b;
    else return wrapped<T>(static_cast<unsigned long long>(a) + static_cast<unsigned long long>(b));
  }
  static T product(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) return a * b;
    else return wrapped<T>(static_cast<unsigned long long>(a) * static_cast<unsigned long long>(b));
  }
  static T lesser(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
      if (a == b) return std::signbit(a) ? a : b;
    }
    return a < b ? a : b;
  }
  static T greater(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
      if (a == b) return std::signbit(a) ? b : a;
    }
    return a < b ? b : a;
  }
  static T number(int n) { return static_cast<T>(n); }
  static T highest() { return limits::has_infinity ? limits::infinity() : limits::max(); }
  static T lowest() { return limits::has_infinity ? -limits::infinity() : limits::lowest(); }
};

// What an operator should give, and what exclusive_scan should give to rank 0. An operator of a test's own says so itself.
template <class Op>
struct host_fold {
  template <class T>
  static T of(T const& a, T const& b) {
    return Op{}(a, b);
  }
  template <class T>
  static T first() {
    return Op::template identity<T>();
  }
};
template <>
struct host_fold<muster::plus> {
  template <class T>
  static T of(T a, T b) {
    return host_math<T>::sum(a, b);
  }
  template <class T>
  static T first() {
    return host_math<T>::number(0);
  }
};
template <>
struct host_fold<muster::multiplies> {
  template <class T>
  static T of(T a, T b) {
    return host_math<T>::product(a, b);
  }
  template <class T>
  static T first() {
    return host_math<T>::number(1);
  }
};
template <>
struct host_fold<muster::minimum> {
  template <class T>
  static T of(T a, T b) {
    return host_math<T>::lesser(a, b);
  }
  template <class T>
  static T first() {
    return host_math<T>::highest();
  }
};
template <>
struct host_fold<muster::maximum> {
  template <class T>
  static T of(T a, T b) {
    return host_math<T>::greater(a, b);
  }
  template <class T>
  static T first() {
    return host_math<T>::lowest();
  }
};
template <>
struct host_fold<muster::bit_and> {
  template <class T>
  static T of(T a, T b) {
    return wrapped<T>(static_cast<unsigned long long>(a) & static_cast<unsigned long long>(b));
  }
  template <class T>
  static T first() {
    return wrapped<T>(~0ull);
  }
};
template <>
struct host_fold<muster::bit_or> {
  template <class T>
  static T of(T a, T b) {
    return wrapped<T>(static_cast<unsigned long long>(a) | static_cast<unsigned long long>(b));
  }
  template <class T>
  static T first() {
    return wrapped<T>(0);
  }
};
template <>
struct host_fold<muster::bit_xor> {
  template <class T>
  static T of(T a, T b) {
    return wrapped<T>(static_cast<unsigned long long>(a) ^ static_cast<unsigned long long>(b));
  }
  template <class T>
  static T first() {
    return wrapped<T>(0);
  }
};

enum algorithm { reduced, inclusive, exclusive, algorithm_count };
constexpr int lanes_of_a_warp = 32;

// Every algorithm on tiles of `width` lanes of a warp: results[(algorithm, lane)].
template <class Op, class T>
std::vector<T> fold_on_host(std::vector<T> const& in, int width) {
  std::vector<T> results(algorithm_count * lanes_of_a_warp, in[0]);
  auto const result = [&](int which, int lane) -> T& { return results[static_cast<std::size_t>(which * lanes_of_a_warp + lane)]; };
  for (int first = 0; first < lanes_of_a_warp; first += width) {
    T running = in[static_cast<std::size_t>(first)];
    for (int lane = first; lane < first + width; ++lane) {
      result(exclusive, lane) = lane == first ? host_fold<Op>::template first<T>() : running;
      if (lane != first) running = host_fold<Op>::of(running, in[static_cast<std::size_t>(lane)]);
      result(inclusive, lane) = running;
    }
    for (int lane = first; lane < first + width; ++lane) result(reduced, lane) = running;
  }
  return results;
}

}  // namespace policy_test
