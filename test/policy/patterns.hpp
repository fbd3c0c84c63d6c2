// Values for a warp that show when lanes are mixed up.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "host_folds.hpp"

namespace policy_test {

template <class T>
using warp_values = std::vector<T>;

// Floating-point patterns say whether sums and products of any part of them are exact, so that every order gives the same bits.
template <class T>
struct pattern {
  char const* name;
  warp_values<T> values;
  bool exact_sums = true;
  bool exact_products = true;
};

template <class T, class F>
warp_values<T> values_by(F const& of_lane) {
  warp_values<T> values;
  for (int lane = 0; lane < lanes_of_a_warp; ++lane) values.push_back(of_lane(lane));
  return values;
}

constexpr int primes[32] = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29, 31, 37, 41, 43,  47,  53,
                            59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127, 131};

template <class T>
std::vector<pattern<T>> patterns() {
  using limits = std::numeric_limits<T>;
  std::vector<pattern<T>> all;
  std::uint64_t state = 0x9e3779b97f4a7c15u;
  auto const random = [&state] {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  };
  if constexpr (std::is_floating_point_v<T>) {
    all.push_back({"powers of two", values_by<T>([](int lane) { return std::ldexp(T(1), lane % 4); })});
    all.push_back({"primes of both signs", values_by<T>([](int lane) { return static_cast<T>(lane % 3 == 0 ? -primes[lane] : primes[lane]); }), true, false});
    all.push_back({"negative zeros", values_by<T>([](int) { return -T(0); })});
    all.push_back({"fractions", values_by<T>([&](int) { return static_cast<T>(static_cast<double>(random() >> 12) / (1ull << 52) + 0.5); }), false, false});
  } else {
    constexpr int bits = static_cast<int>(sizeof(T)) * 8;
    all.push_back({"bit i in lane i", values_by<T>([](int lane) { return wrapped<T>(1ull << lane % bits); })});
    all.push_back({"all bits but one", values_by<T>([](int lane) { return wrapped<T>(~(1ull << (lane * 7) % bits)); })});
    all.push_back({"primes", values_by<T>([](int lane) { return wrapped<T>(static_cast<unsigned long long>(primes[lane])); })});
    all.push_back({"of both signs", values_by<T>([](int lane) { return wrapped<T>(static_cast<unsigned long long>(lane % 3 == 0 ? -primes[lane] : primes[lane] * 2 + 1)); })});
    all.push_back({"limits", values_by<T>([](int lane) { return lane % 2 == 0 ? limits::max() : limits::lowest(); })});
    all.push_back({"carries", values_by<T>([](int lane) { return wrapped<T>(~0ull - static_cast<unsigned long long>(lane)); })});
    all.push_back({"random bits", values_by<T>([&](int) { return wrapped<T>(random()); })});
  }
  return all;
}

// Only for minima and maxima: all that floating-point numbers can be.
template <class T>
pattern<T> special_values() {
  using limits = std::numeric_limits<T>;
  T const all[] = {limits::quiet_NaN(), T(0), -T(0), limits::infinity(), -limits::infinity(), limits::denorm_min(), -limits::denorm_min(), limits::max(),
                   limits::lowest(),    T(1), T(-1), -limits::quiet_NaN(), limits::min()};
  return {"special values", values_by<T>([&](int lane) { return all[lane * 5 % 13]; }), false, false};
}
template <class T>
pattern<T> zeros_and_nans() {
  using limits = std::numeric_limits<T>;
  return {"zeros and NaNs", values_by<T>([](int lane) { return lane < 8 ? limits::quiet_NaN() : lane % 3 == 0 ? T(0) : lane % 3 == 1 ? -T(0) : limits::quiet_NaN(); }), false,
          false};
}

}  // namespace policy_test
