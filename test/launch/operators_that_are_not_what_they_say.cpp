// An operator of one's own whose identity changes values, or that is called commutative and is not: reported where it folds, with the values; those that keep their word, though
// rounding or NaNs make them look otherwise, are not.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include <muster/muster.hpp>

#include "support/findings.hpp"

namespace operator_laws {

using namespace test;
using muster::emulator::finding;
using muster::emulator::finding_kind;

// An operator from a function, its identity and whether it says that it commutes.
template <class T, T (*Function)(T, T), int Identity, bool IsCommutative>
struct folding {
  static constexpr bool is_commutative = IsCommutative;
  MUSTER_FN T operator()(T a, T b) const { return Function(a, b); }
  template <class U>
  MUSTER_FN static U identity() {
    return U(Identity);
  }
};

template <class T>
MUSTER_FN T sum(T a, T b) {
  return a + b;
}
template <class T>
MUSTER_FN T product(T a, T b) {
  return a * b;
}
template <class T>
MUSTER_FN T larger(T a, T b) {
  return a < b ? b : a;
}
MUSTER_FN unsigned first_that_is_set(unsigned a, unsigned b) { return a != 0 ? a : b; }
MUSTER_FN unsigned one_more_on_the_right(unsigned a, unsigned b) { return a == 0 ? b : a + b + (b == 0 ? 1 : 0); }

struct larger_than_nothing {
  static constexpr bool is_commutative = true;
  MUSTER_FN float operator()(float a, float b) const { return larger(a, b); }
  template <class T>
  MUSTER_FN static T identity() {
    return muster::numeric<T>::lowest();
  }
};

// A weighted mean: its == is exact, its arithmetic is not.
struct weighted {
  float mean, weight;
  MUSTER_FN friend bool operator==(weighted const& a, weighted const& b) { return a.mean == b.mean && a.weight == b.weight; }
};
struct mean_of_means {
  static constexpr bool is_commutative = true;
  MUSTER_FN weighted operator()(weighted a, weighted b) const {
    float const weight = a.weight + b.weight;
    return {weight == 0 ? 0 : a.mean + (b.mean - a.mean) * (b.weight / weight), weight};
  }
  template <class T>
  MUSTER_FN static T identity() {
    return {0, 0};
  }
};

// The same with a number of values behind it, and bytes that belong to nobody, which differ.
struct counted {
  double mean, squares;
  int count;
  MUSTER_FN friend bool operator==(counted const& a, counted const& b) { return a.mean == b.mean && a.squares == b.squares && a.count == b.count; }
};
struct merge_counted {
  static constexpr bool is_commutative = true;
  MUSTER_FN counted operator()(counted const& a, counted const& b) const {
    counted result;
    unsigned char const padding = a.mean < b.mean ? 0x5a : 0x3c;
    for (unsigned char* byte = reinterpret_cast<unsigned char*>(&result); byte != reinterpret_cast<unsigned char*>(&result + 1); ++byte) *byte = padding;
    result.count = a.count + b.count;
    double const delta = b.mean - a.mean, share = result.count == 0 ? 0 : static_cast<double>(b.count) / result.count;
    result.mean = a.mean + delta * share;
    result.squares = a.squares + b.squares + delta * delta * a.count * share;
    return result;
  }
  template <class T>
  MUSTER_FN static T identity() {
    return {0, 0, 0};
  }
};

// A number at no multiple of its size, with a largest value beside it.
struct [[gnu::packed]] tagged {
  unsigned char largest;
  float mean;
  MUSTER_FN friend bool operator==(tagged const& a, tagged const& b) { return a.largest == b.largest && a.mean == b.mean; }
};
struct log_add_tagged {
  static constexpr bool is_commutative = true;
  MUSTER_FN tagged operator()(tagged const& a, tagged const& b) const { return {larger(a.largest, b.largest), std::log(std::exp(a.mean) + std::exp(b.mean))}; }
  template <class T>
  MUSTER_FN static T identity() {
    return {0, muster::numeric<float>::lowest()};
  }
};

// 2 x 2 matrices of integers do not commute, nor does anything else that is applied one after the other.
struct matrix {
  unsigned a, b, c, d;
  MUSTER_FN friend bool operator==(matrix const& x, matrix const& y) { return x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d; }
};
template <bool IsCommutative>
struct matrix_product {
  static constexpr bool is_commutative = IsCommutative;
  MUSTER_FN matrix operator()(matrix const& x, matrix const& y) const {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
  }
  template <class T>
  MUSTER_FN static T identity() {
    return {1, 0, 0, 1};
  }
};

// Whole numbers whose bits look like small floating-point numbers.
struct counts {
  int first, second;
  MUSTER_FN friend bool operator==(counts const& a, counts const& b) { return a.first == b.first && a.second == b.second; }
};
struct sums_from_ten_million {
  static constexpr bool is_commutative = true;
  MUSTER_FN counts operator()(counts a, counts b) const { return {a.first + b.first, a.second + b.second}; }
  template <class T>
  MUSTER_FN static T identity() {
    return {10'000'000, 0};
  }
};

struct zero_as_identity : matrix_product<false> {
  template <class T>
  MUSTER_FN static T identity() {
    return {0, 0, 0, 0};
  }
};

// log(e^a + e^b), as it is written down; of lanes without a value -inf.
struct log_add {
  static constexpr bool is_commutative = true;
  MUSTER_FN float operator()(float a, float b) const { return std::log(std::exp(a) + std::exp(b)); }
  template <class T>
  MUSTER_FN static T identity() {
    return muster::numeric<T>::lowest();
  }
};

template <class T>
MUSTER_FN T value_of(int lane);
template <>
MUSTER_FN unsigned value_of<unsigned>(int lane) {
  return static_cast<unsigned>(lane * 7 % 5 + 2);
}
template <>
MUSTER_FN float value_of<float>(int lane) {
  return lane % 8 == 3 ? muster::numeric<float>::nan() : lane % 8 == 4 ? muster::numeric<float>::lowest() : 0.1f * static_cast<float>(lane * 11 % 32) - 1.2f;
}
template <>
MUSTER_FN double value_of<double>(int lane) {
  return -1e-17 * (lane + 1);  // less than rounding near 1
}
template <>
MUSTER_FN tagged value_of<tagged>(int lane) {
  return {static_cast<unsigned char>(lane), 0.37f * static_cast<float>(lane * 11 % 32)};
}
// From the second half on neighbours cancel each other but for rounding.
template <>
MUSTER_FN weighted value_of<weighted>(int lane) {
  float const large = 12345.67f * static_cast<float>(lane / 2);
  if (lane >= 64) return lane % 2 == 0 ? weighted{large, 3} : weighted{-3 * large, 1};
  return {lane % 7 == 0 ? 0 : 0.37f * static_cast<float>(lane % 13), lane % 7 == 0 ? 0 : static_cast<float>(lane % 4 + 1)};
}
template <>
MUSTER_FN counted value_of<counted>(int lane) {
  return {0.1 * lane, 0.3 * (lane % 5), lane % 9 + 1};
}
template <>
MUSTER_FN counts value_of<counts>(int lane) {
  return {10'000'000 * (lane % 3), lane};
}
template <>
MUSTER_FN matrix value_of<matrix>(int lane) {
  unsigned const n = static_cast<unsigned>(lane);
  return {n + 1, n % 3, n % 5, 1};
}

// The folds of a warp, of a tile in a narrowed scope, and of a block.
template <class T, class Op, class Dims>
struct folds {
  struct shared {
    muster::block_storage<T, Dims> meeting;
  };
  static constexpr int line = __LINE__ + 5;
  MUSTER_FN void operator()(auto block, shared& s, int which, int*) const {
    auto const warp = muster::this_warp(block);
    T const v = value_of<T>(muster::thread_rank(block));
    switch (which) {
      case 0: (void)muster::reduce(warp, v, Op{}); break;
      case 1: (void)muster::inclusive_scan(muster::tiled_partition<8>(warp), v, Op{}); break;
      case 2: (void)muster::exclusive_scan(warp, v, Op{}); break;
      case 3: (void)muster::reduce_to<3>(muster::tiled_partition<4>(warp), v, Op{}); break;
      case 4: muster::branch(warp, muster::thread_rank(warp) % 3 != 0, [&](auto some) { (void)muster::reduce(some, v, Op{}); }); break;
      case 5: (void)muster::reduce(block, s.meeting, v, Op{}); break;
      case 6: (void)muster::exclusive_scan(block, s.meeting, v, Op{}); break;
      case 7: (void)muster::reduce_to<0>(block, s.meeting, v, Op{}); break;
      case 8: {
        T several[3] = {v, v, v};
        muster::inclusive_scan(warp, several, Op{});
        break;
      }
    }
  }
};
constexpr int ways = 9;

template <class T, class Op>
std::vector<finding> findings_of_fold(int which, muster::emulator::schedule order) {
  using dims = muster::block_dims<128>;
  std::vector<finding> found;
  muster::emulator::options options;
  options.seed = 42;
  options.order = order;
  options.findings = &found;
  muster::buffer<int> out(muster::on_emulator(), 1);
  muster::launch(muster::on_emulator(options), muster::grid_dims(1), dims{}, folds<T, Op, dims>{}, which, out.data());
  return found;
}

template <class T, class Op>
void expect_reported(std::vector<std::string> const& words) {
  for (int which = 0; which < ways; ++which) {
    for (auto const order : all_schedules) {
      auto const found = findings_of_fold<T, Op>(which, order);
      INFO("fold " << which << ", schedule " << static_cast<int>(order));
      REQUIRE_FALSE(found.empty());
      for (finding const& one : found) {
        INFO(one.text);
        CHECK(one.kind == finding_kind::operator_not_as_stated);
        CHECK(one.where.line >= folds<T, Op, muster::block_dims<128>>::line);
        CHECK(std::string(one.where.file).ends_with("operators_that_are_not_what_they_say.cpp"));
        CHECK(one.text.find("seed=42") != std::string::npos);
        for (std::string const& each : words) CHECK(one.text.find(each) != std::string::npos);
      }
    }
  }
}
template <class T, class Op>
void expect_silence() {
  for (int which = 0; which < ways; ++which) {
    for (finding const& one : findings_of_fold<T, Op>(which, muster::emulator::schedule::random)) {
      INFO("fold " << which << "\n" << one.text);
      CHECK(false);
    }
  }
}

TEST_CASE("an identity that changes values is reported, with the operator and the values") {
  expect_reported<unsigned, folding<unsigned, &product<unsigned>, 0, true>>({"fold with operator_laws::folding<unsigned", "identity<T>() is 0, and op(0, ", " is 0: it must"});
  expect_reported<unsigned, folding<unsigned, &sum<unsigned>, 1, true>>({"identity<T>() is 1, and op(1, "});
  expect_reported<unsigned, folding<unsigned, &one_more_on_the_right, 0, false>>({"identity<T>() is 0, and op(", ", 0) is "});
  expect_reported<float, folding<float, &larger<float>, 0, true>>({"identity<T>() is 0, and op(0, -"});
  expect_reported<double, folding<double, &larger<double>, 0, true>>({"identity<T>() is 0, and op(0, -"});
  expect_reported<counts, sums_from_ten_million>({"fold with operator_laws::sums_from_ten_million", "op(identity, v) is another value than v"});
  expect_reported<matrix, zero_as_identity>({"fold with operator_laws::zero_as_identity", "op(identity, v) is another value than v"});
}
TEST_CASE("an operator that says that it commutes and does not is reported, with both results") {
  expect_reported<unsigned, folding<unsigned, &first_that_is_set, 0, true>>({"is_commutative is true, and op(", "is_commutative = false"});
  expect_reported<matrix, matrix_product<true>>({"fold with operator_laws::matrix_product<true>", "op(a, b) is not op(b, a)"});
}
TEST_CASE("operators that keep their word are quiet") {
  expect_silence<unsigned, folding<unsigned, &product<unsigned>, 1, true>>();
  expect_silence<unsigned, folding<unsigned, &sum<unsigned>, 0, true>>();
  expect_silence<unsigned, folding<unsigned, &first_that_is_set, 0, false>>();
  expect_silence<float, larger_than_nothing>();
  expect_silence<matrix, matrix_product<false>>();
}
TEST_CASE("rounding is no broken word") {
  expect_silence<float, folding<float, &sum<float>, 0, true>>();
  expect_silence<float, log_add>();
  expect_silence<weighted, mean_of_means>();
  expect_silence<counted, merge_counted>();
  expect_silence<tagged, log_add_tagged>();
}

}  // namespace operator_laws
