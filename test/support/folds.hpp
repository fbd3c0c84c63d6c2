// Reductions and scans with one operator, as a body for `on_members`. Operators are associative to the bit on the values drawn, so any order of folding in rank order
// gives the bytes of the sequential one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/on_members.hpp"

namespace test {

// x -> a·x + b over integers modulo 2^32: composition is associative and does not commute.
struct affine {
  std::uint32_t a, b;
  static std::string name() { return "affine map"; }
};
struct compose {
  static constexpr bool is_commutative = false;
  MUSTER_FN affine operator()(affine f, affine g) const { return {f.a * g.a, g.a * f.b + g.b}; }
  template <class T>
  MUSTER_FN static affine identity() {
    return {1, 0};
  }
};

// Keeps the first: idempotent, not commutative; 0 stands for nothing.
struct first_of {
  static constexpr bool is_commutative = false;
  static constexpr bool is_idempotent = true;
  template <class T>
  MUSTER_FN T operator()(T a, T b) const {
    return a != 0 ? a : b;
  }
  template <class T>
  MUSTER_FN static T identity() {
    return 0;
  }
};

template <class T>
struct fold_input {
  static T of(int thread) { return value_of<T>(static_cast<std::uint64_t>(thread) + 5); }
};
template <>
struct fold_input<float> {  // sums of whole numbers are exact
  static float of(int thread) { return static_cast<float>(choice(thread, 2001) - 1000); }
};
template <>
struct fold_input<double> {
  static double of(int thread) { return static_cast<double>(choice(thread, 2001) - 1000); }
};
template <>
struct fold_input<affine> {
  static affine of(int thread) { return {static_cast<std::uint32_t>(scrambled(static_cast<std::uint64_t>(thread))), static_cast<std::uint32_t>(thread + 1)}; }
};

template <class Op, class T>
struct folds {
  using value = T;
  static constexpr int n = 3;
  static std::vector<std::string> names() {
    return {"reduce", "reduce_to<0>.broadcast", "inclusive_scan", "exclusive_scan", "reduce of three each", "inclusive_scan of three each", "exclusive_scan of three each",
            "reduce by shuffle"};
  }
  static T input(int thread) { return fold_input<T>::of(thread); }

  // The second and third value of a lane that holds v: others, but of the same kind.
  MUSTER_FN static T other(T v, int i) {
    T r = v;
    for (int k = 0; k < i; ++k) r = Op{}(r, v);
    return r;
  }

  template <class Kind, class Group, class Out>
  MUSTER_FN static void run(Group g, T const mine, Out const& out) {
    out(0, muster::reduce(g, mine, Op{}).value());
    out(1, muster::reduce_to<0>(g, mine, Op{}).broadcast(g).value());
    out(2, muster::inclusive_scan(g, mine, Op{}));
    out(3, muster::exclusive_scan(g, mine, Op{}));
    T values[n] = {mine, other(mine, 1), other(mine, 2)};
    out(4, muster::reduce(g, values, Op{}).value());
    muster::inclusive_scan(g, values, Op{});
    out(5, values[1]);
    T again[n] = {mine, other(mine, 1), other(mine, 2)};
    muster::exclusive_scan(g, again, Op{});
    out(6, again[2]);
    out(7, muster::reduce(muster::policy::shuffle, g, mine, Op{}).value());
  }

  static bool expected(int k, std::vector<cell<T>> const& held, int rank, group_facts const&, T& out) {
    auto const at = [&](int i) { return held[static_cast<std::size_t>(i)].value; };
    int const count = static_cast<int>(held.size());
    // The fold of the first `whole` lanes, each with `each` values, and of `part` values of the next.
    auto const fold = [&](int each, int whole, int part) {
      bool any = false;
      T result = Op::template identity<T>();
      for (int lane = 0; lane <= whole && lane < count; ++lane) {
        for (int i = 0; i < (lane < whole ? each : part); ++i) {
          T const v = other(at(lane), i);
          result = any ? Op{}(result, v) : v;
          any = true;
        }
      }
      return result;
    };
    switch (k) {
      case 0: case 1: case 7: out = fold(1, count, 0); return true;
      case 2: out = fold(1, rank + 1, 0); return true;
      case 3: out = fold(1, rank, 0); return true;
      case 4: out = fold(n, count, 0); return true;
      case 5: out = fold(n, rank, 2); return true;
      case 6: out = fold(n, rank, 2); return true;
    }
    return false;
  }
};

}  // namespace test
