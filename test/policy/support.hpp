// One matrix for every policy: operator × type × width × algorithm, against folds on the host, with values that show when lanes are mixed up.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>
#include <catch2/catch_test_macros.hpp>

#include <muster/buffer.hpp>
#include <muster/launch.hpp>
#include <muster/muster.hpp>

namespace policy_test {

namespace hana = boost::hana;

using muster::tile;

template <class... Ts>
struct list {
  static constexpr int count = sizeof...(Ts);
};

using integer_operators = list<muster::plus, muster::multiplies, muster::minimum, muster::maximum, muster::bit_and, muster::bit_or, muster::bit_xor>;
using float_operators = list<muster::plus, muster::multiplies, muster::minimum, muster::maximum>;
template <class T>
using operators_of = std::conditional_t<std::is_floating_point_v<T>, float_operators, integer_operators>;

using widths = std::integer_sequence<int, 1, 2, 4, 8, 16, 32>;
constexpr int width_count = 6;
enum algorithm { reduced, inclusive, exclusive, algorithm_count };
constexpr int lanes_of_a_warp = 32;

template <class Policy, class Op, class T, int Width>
constexpr bool has_reduce = Policy::template supports<Op, T, tile<Width>>() &&
                            requires(tile<Width> g, T const& v, Op const& op) { Policy::reduce(g, v, op, muster::site{}); };
template <class Policy, class Op, class T, int Width>
constexpr bool has_scans = Policy::template supports<Op, T, tile<Width>>() &&
                           requires(tile<Width> g, T const& v, Op const& op) {
                             Policy::inclusive_scan(g, v, op, muster::site{});
                             Policy::exclusive_scan(g, v, op, muster::site{});
                           };

// Every operator at every width that the policy supports, on one warp; out[(operator, width, algorithm, lane)].
template <class Policy, class T, class Operators>
struct all_folds;
template <class Policy, class T, class... Ops>
struct all_folds<Policy, T, list<Ops...>> {
  template <class Op, int Width>
  __attribute__((noinline)) MUSTER_FN static void fold(tile<32> warp, T const& v, T* out) {
    auto const group = muster::tiled_partition<Width>(warp);
    int const lane = muster::thread_rank(warp);
    if constexpr (has_reduce<Policy, Op, T, Width>) out[reduced * 32 + lane] = muster::reduce(Policy{}, group, v, Op{}).value();
    if constexpr (has_scans<Policy, Op, T, Width>) {
      out[inclusive * 32 + lane] = muster::inclusive_scan(Policy{}, group, v, Op{});
      out[exclusive * 32 + lane] = muster::exclusive_scan(Policy{}, group, v, Op{});
    }
  }
  template <class Op, int... Width>
  MUSTER_FN static void widths_of(tile<32> warp, T const& v, T*& out, std::integer_sequence<int, Width...>) {
    ((fold<Op, Width>(warp, v, out), out += algorithm_count * 32), ...);
  }
  MUSTER_FN void operator()(auto block, T const* in, T* out) const {
    auto const warp = muster::this_warp(block);
    T const v = in[muster::thread_rank(warp)];
    (widths_of<Ops>(warp, v, out, widths{}), ...);
  }
};

// --- what is expected, computed apart from the library's operators ---

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

// --- values ---

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

// --- comparison ---

template <class T>
bool same_bits(T const& a, T const& b) {
  return std::memcmp(static_cast<void const*>(&a), static_cast<void const*>(&b), sizeof(T)) == 0;
}

// Whether a result is right. Rounded sums and products may come in any order: then within 32 roundings.
template <class T>
bool agrees(T const& got, T const& want, bool exact) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(want)) return std::isnan(got);
    if (!exact && std::isfinite(want)) return std::abs(got - want) <= 32 * std::numeric_limits<T>::epsilon() * std::abs(want);
  }
  return same_bits(got, want);
}

template <class T>
std::string text(T const& value) {
  std::string hex;
  auto const* bytes = reinterpret_cast<unsigned char const*>(&value);
  for (int i = static_cast<int>(sizeof(T)) - 1; i >= 0; --i) {
    hex += "0123456789abcdef"[bytes[i] >> 4];
    hex += "0123456789abcdef"[bytes[i] & 15];
  }
  if constexpr (std::is_arithmetic_v<T>) return std::to_string(value) + " (0x" + hex + ")";
  else return "0x" + hex;
}

inline char const* name_of(int which) { return which == reduced ? "reduce" : which == inclusive ? "inclusive_scan" : "exclusive_scan"; }

// What a policy was asked to fill in for one operator at one width.
struct cell {
  int width;
  bool has_reduce, has_scans;
};
template <class Policy, class Op, class T, int... Width>
std::array<cell, width_count> cells_of(std::integer_sequence<int, Width...>) {
  return {cell{Width, has_reduce<Policy, Op, T, Width>, has_scans<Policy, Op, T, Width>}...};
}

// The results of one operator at one width against the host's folds. Returns how many results were looked at.
template <class Op, class T>
int compare(char const* policy, cell const& asked, pattern<T> const& in, T const* out) {
  bool const exact = std::is_same_v<Op, muster::plus> ? in.exact_sums : std::is_same_v<Op, muster::multiplies> ? in.exact_products : true;
  int looked_at = 0;
  auto const where = [&](int which, int lane) {
    return std::string(policy) + " " + name_of(which) + " width " + std::to_string(asked.width) + ", " + in.name + ", operator " + typeid(Op).name() + ", type " +
           typeid(T).name() + ", lane " + std::to_string(lane) + ": ";
  };
  auto const check = [&](int which, int lane, T const& want) {
    T const& got = out[which * 32 + lane];
    ++looked_at;
    if (!agrees(got, want, exact)) FAIL_CHECK(where(which, lane) << "expected " << text(want) << ", got " << text(got));
  };
  for (int first = 0; first < 32; first += asked.width) {
    T running = in.values[static_cast<std::size_t>(first)];
    for (int rank = 0; rank < asked.width; ++rank) {
      int const lane = first + rank;
      if (asked.has_scans) check(exclusive, lane, rank == 0 ? host_fold<Op>::template first<T>() : running);
      if (rank != 0) running = host_fold<Op>::of(running, in.values[static_cast<std::size_t>(lane)]);
      if (asked.has_scans) check(inclusive, lane, running);
    }
    for (int lane = first; asked.has_reduce && lane < first + asked.width; ++lane) {
      check(reduced, lane, running);
      if (!same_bits(out[lane], out[first])) FAIL_CHECK(where(reduced, lane) << "other bits than in lane " << first);
    }
  }
  return looked_at;
}

template <class Policy, class Op, class T>
int compare_operator(pattern<T> const& in, T const*& out) {
  int looked_at = 0;
  for (cell const& asked : cells_of<Policy, Op, T>(widths{})) {
    looked_at += compare<Op>(Policy::name(), asked, in, out);
    out += algorithm_count * 32;
  }
  return looked_at;
}
template <class Policy, class T, class... Ops>
int compare_operators(pattern<T> const& in, std::vector<T> const& results, list<Ops...>) {
  T const* out = results.data();
  return (compare_operator<Policy, Ops>(in, out) + ...);
}

// Runs the matrix of one policy and type on a target; returns how many results were compared.
template <class Policy, class T, class Operators, class Target>
int run_matrix(Target const& target, std::vector<pattern<T>> const& inputs) {
  int looked_at = 0;
  for (pattern<T> const& in : inputs) {
    std::vector<T> results(static_cast<std::size_t>(Operators::count * width_count * algorithm_count * 32), in.values[0]);
    muster::buffer<T> values(target, in.values), out(target, results);
    muster::launch(target, muster::grid_dims(1), muster::block_dims<32>{}, all_folds<Policy, T, Operators>{}, static_cast<T const*>(values.data()), out.data());
    muster::wait(target);
    out.copy_to(results);
    looked_at += compare_operators<Policy>(in, results, Operators{});
  }
  return looked_at;
}

// All patterns of a type; minima and maxima of floats also on what only they define.
template <class Policy, class T, class Target>
int run_type(Target const& target) {
  int looked_at = run_matrix<Policy, T, operators_of<T>>(target, patterns<T>());
  if constexpr (std::is_floating_point_v<T>)
    looked_at += run_matrix<Policy, T, list<muster::minimum, muster::maximum>>(target, {special_values<T>(), zeros_and_nans<T>()});
  return looked_at;
}

// A matrix is compiled in parts, so that no source takes long.
constexpr auto words = hana::tuple_t<std::int32_t, std::uint32_t, float>;
constexpr auto wide_words = hana::tuple_t<std::int64_t, std::uint64_t, double>;
constexpr auto narrow_words = hana::tuple_t<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t>;

// How many results a pattern has for each operator: those of the widths and algorithms that there are.
constexpr int results_of_an_operator = width_count * algorithm_count * lanes_of_a_warp;
template <class Types>
int whole_matrix(Types const& types) {
  int results = 0;
  hana::for_each(types, [&](auto type) {
    using T = typename decltype(type)::type;
    results += results_of_an_operator * (std::is_floating_point_v<T> ? 4 * 4 + 2 * 2 : 7 * 7);  // operators × patterns
  });
  return results;
}

template <class Policy, class Target, class Types>
int run_types(Target const& target, Types const& types) {
  int looked_at = 0;
  hana::for_each(types, [&](auto type) { looked_at += run_type<Policy, typename decltype(type)::type>(target); });
  return looked_at;
}

// --- values and operators of a user's own ---

// Neighbouring stretches join; anything else is remembered as wrong. Joining does not commute, and a value cannot be made from nothing.
struct stretch {
  std::int16_t first, last;
  std::int16_t state;  // 0: empty, 1: right, 2: joined out of order
  MUSTER_FN stretch(int first, int last, int state) : first(static_cast<std::int16_t>(first)), last(static_cast<std::int16_t>(last)), state(static_cast<std::int16_t>(state)) {}
};
struct join {
  static constexpr bool is_commutative = false;
  template <class T>
  MUSTER_FN static T identity() {
    return T(0, 0, 0);
  }
  MUSTER_FN stretch operator()(stretch const& a, stretch const& b) const {
    if (a.state == 0) return b;
    if (b.state == 0) return a;
    return stretch(a.first, b.last, a.state == 1 && b.state == 1 && a.last == b.first ? 1 : 2);
  }
};
inline pattern<stretch> stretches() { return {"stretches", values_by<stretch>([](int lane) { return stretch(lane, lane + 1, 1); })}; }

// Three counters: commutative, without a word about bits.
struct counters {
  std::uint32_t value[3];
};
struct add_counters {
  static constexpr bool is_commutative = true;
  template <class T>
  MUSTER_FN static T identity() {
    return T{};
  }
  MUSTER_FN counters operator()(counters const& a, counters const& b) const { return {{a.value[0] + b.value[0], a.value[1] + b.value[1], a.value[2] + b.value[2]}}; }
};
inline pattern<counters> counted() {
  return {"counters", values_by<counters>([](int lane) { return counters{{1u << lane, static_cast<std::uint32_t>(primes[lane]), ~0u - static_cast<std::uint32_t>(lane)}}; })};
}

template <class Policy, class Target>
int run_own_types(Target const& target) {
  int looked_at = run_matrix<Policy, counters, list<add_counters>>(target, {counted()});
  if constexpr (Policy::template supports<join, stretch, tile<8>>()) looked_at += run_matrix<Policy, stretch, list<join>>(target, {stretches()});
  return looked_at;
}

}  // namespace policy_test

#define REQUIRE_A_GPU() \
  if (!muster::has_device()) SKIP("no CUDA device here, or not compiled by nvcc")
