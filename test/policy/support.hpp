// One matrix for every policy: operator × type × width × algorithm, against folds on the host.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>
#include <catch2/catch_test_macros.hpp>

#include <muster/buffer.hpp>
#include <muster/launch.hpp>
#include <muster/muster.hpp>

#include "host_folds.hpp"
#include "own_types.hpp"
#include "patterns.hpp"
#include "support/fold_results.hpp"
#include "support/machines.hpp"

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

// --- comparison ---

// Whether a result is right. Rounded sums and products may come in any order: then within 32 roundings.
template <class T, bool Exact>
bool agrees(void const* got_bytes, void const* want_bytes) {
  if constexpr (std::is_floating_point_v<T>) {
    T const got = *static_cast<T const*>(got_bytes), want = *static_cast<T const*>(want_bytes);
    if (std::isnan(want)) return std::isnan(got);
    if (!Exact && std::isfinite(want)) return std::abs(got - want) <= 32 * std::numeric_limits<T>::epsilon() * std::abs(want);
  }
  return std::memcmp(got_bytes, want_bytes, sizeof(T)) == 0;
}

// The results of one operator at all widths against the host's folds. Returns how many results were looked at.
template <class Policy, class Op, class T, int... Width>
int compare_operator(pattern<T> const& in, T const*& out, std::integer_sequence<int, Width...>) {
  bool const exact = std::is_same_v<Op, muster::plus> ? in.exact_sums : std::is_same_v<Op, muster::multiplies> ? in.exact_products : true;
  test::fold_results results{Policy::name(), typeid(Op).name(), typeid(T).name(), in.name, sizeof(T), test::number_kind_of<T>, exact ? &agrees<T, true> : &agrees<T, false>};
  int looked_at = 0;
  test::asked_of_policy const asked[] = {{Width, has_reduce<Policy, Op, T, Width>, has_scans<Policy, Op, T, Width>}...};
  for (test::asked_of_policy const& at : asked) {
    looked_at += results.compare(at, out, fold_on_host<Op>(in.values, at.width).data());
    out += algorithm_count * lanes_of_a_warp;
  }
  return looked_at;
}
template <class Policy, class T, class... Ops>
int compare_operators(pattern<T> const& in, std::vector<T> const& results, list<Ops...>) {
  T const* out = results.data();
  return (compare_operator<Policy, Ops>(in, out, widths{}) + ...);
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

template <class Policy, class Target>
int run_own_types(Target const& target) {
  int looked_at = run_matrix<Policy, counters, list<add_counters>>(target, {counted()});
  if constexpr (Policy::template supports<join, stretch, tile<8>>()) looked_at += run_matrix<Policy, stretch, list<join>>(target, {stretches()});
  return looked_at;
}

// A matrix is compiled for one machine only: by nvcc for the GPU, else for the emulator. f(target) holds the checks.
template <class F>
void on_emulator_without_nvcc(F const& f) {
  if constexpr (test::built_by_nvcc) SKIP("the same test without nvcc runs this matrix on the emulator");
  else f(muster::on_emulator());
}
template <class F>
void on_gpu_with_nvcc(F const& f) {
  if constexpr (test::built_by_nvcc) {
    if (!muster::has_device()) SKIP("there is no usable GPU here");
    f(muster::on_device());
  } else {
    SKIP("not compiled by nvcc");
  }
}

}  // namespace policy_test

#define REQUIRE_A_GPU() \
  if (!muster::has_device()) SKIP("no CUDA device here, or not compiled by nvcc")
