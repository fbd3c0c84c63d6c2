// Sums of -0, minima and maxima with NaN and zeros of both signs: the result to the bit, whatever the number of members.
#include <algorithm>
#include <cmath>
#include <limits>

#include "support/on_members.hpp"

// Named: nvcc 13.0 cannot tell apart kernel types of an unnamed namespace in some translation units.
namespace special_values {

using namespace test;

enum class sort { negative_zeros, zeros_of_both_signs, some_nan, only_nan, infinities };

// The operators once more, from IEEE 754-2019: NaN counts as missing for a minimum or maximum, -0 is less than +0.
template <class T>
T model(muster::plus, T a, T b) {
  return a + b;
}
template <class T>
T model(muster::minimum, T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
  if (a == b) return std::signbit(a) ? a : b;
  return std::min(a, b);
}
template <class T>
T model(muster::maximum, T a, T b) {
  return -model(muster::minimum{}, -a, -b);
}

template <class Op, class T, sort Sort>
struct special_folds {
  using value = T;
  static std::vector<std::string> names() {
    return {"reduce", "reduce by shuffle", "inclusive_scan", "exclusive_scan", "reduce of two each", "inclusive_scan of two each, first", "exclusive_scan of two each, second"};
  }
  static T input(int thread) {
    T const nan = std::numeric_limits<T>::quiet_NaN(), infinity = std::numeric_limits<T>::infinity();
    switch (Sort) {
      case sort::negative_zeros: return T(-0.0);
      case sort::zeros_of_both_signs: return choice(thread, 2) == 0 ? T(0.0) : T(-0.0);
      case sort::some_nan: return choice(thread, 3) == 0 ? nan : static_cast<T>(choice(thread, 100) - 50);
      case sort::only_nan: return nan;
      case sort::infinities: return choice(thread, 3) == 0 ? infinity : choice(thread, 3) == 1 ? -infinity : T(1);
    }
    return T(0);
  }
  // One NaN stands for all: their payloads may differ.
  MUSTER_FN static T canonical(T v) { return v != v ? T(-12345) : v; }

  template <class Kind, class Group, class Out>
  MUSTER_FN static void run(Group g, T const mine, Out const& out) {
    out(0, canonical(muster::reduce(g, mine, Op{}).value()));
    out(1, canonical(muster::reduce(muster::policy::shuffle, g, mine, Op{}).value()));
    out(2, canonical(muster::inclusive_scan(g, mine, Op{})));
    out(3, canonical(muster::exclusive_scan(g, mine, Op{})));
    T inclusive[2] = {mine, mine}, exclusive[2] = {mine, mine};
    out(4, canonical(muster::reduce(g, inclusive, Op{}).value()));
    muster::inclusive_scan(g, inclusive, Op{});
    out(5, canonical(inclusive[0]));
    muster::exclusive_scan(g, exclusive, Op{});
    out(6, canonical(exclusive[1]));
  }

  static bool expected(int k, std::vector<cell<T>> const& held, int rank, group_facts const&, T& out) {
    int const count = static_cast<int>(held.size());
    int const terms = k == 0 || k == 1 ? count : k == 2 ? rank + 1 : k == 3 ? rank : k == 4 ? 2 * count : 2 * rank + 1;
    int const each = k >= 4 ? 2 : 1;
    if (terms == 0) {
      out = Op::template identity<T>();
      return true;
    }
    T result = held[0].value;
    for (int i = 1; i < terms; ++i) result = model(Op{}, result, held[static_cast<std::size_t>(i / each)].value);
    out = canonical(result);
    return true;
  }
};

auto const kinds = hana::tuple_t<known_lanes<32, 0xffffffff>, known_lanes<4, 0x77777777>, whole_block<32, 45>, own_part_of_tile<8, 0x3f3f3f3f>>;

TEST_CASE("sums of zeros keep their sign") {
  auto const bodies = hana::tuple_t<special_folds<muster::plus, float, sort::negative_zeros>, special_folds<muster::plus, double, sort::zeros_of_both_signs>>;
  run_matrix(kinds, bodies);
}

TEST_CASE("minima and maxima order zeros and pass over NaN") {
  auto const bodies = hana::tuple_t<special_folds<muster::minimum, float, sort::zeros_of_both_signs>, special_folds<muster::maximum, float, sort::some_nan>,
                                    special_folds<muster::maximum, float, sort::only_nan>, special_folds<muster::maximum, double, sort::zeros_of_both_signs>,
                                    special_folds<muster::minimum, double, sort::infinities>>;
  run_matrix(kinds, bodies);
}

}  // namespace special_values
