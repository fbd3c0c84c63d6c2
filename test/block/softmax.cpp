// softmax, log_softmax and log_sum_exp of blocks against float64, and their special values.
#include <cmath>
#include <limits>
#include <vector>

#include <boost/hana.hpp>
#include <catch2/catch_approx.hpp>

#include <muster/muster.hpp>

#include "support/machines.hpp"
#include "support/values.hpp"

// Named: nvcc 13.0 cannot tell apart kernel types of an unnamed namespace in some translation units.
namespace block_softmax_tests {

using namespace test;
namespace hana = boost::hana;

constexpr float infinity = std::numeric_limits<float>::infinity();

// The block takes one row of N consecutive values a thread.
template <class T, class Dims, int N, muster::empty_row Empty>
struct softmax_row {
  struct shared {
    muster::block_storage<T, Dims> meeting;
  };
  MUSTER_FN void operator()(auto block, shared& s, T const* in, T* soft, T* log_soft, T* log_sum) const {
    int const thread = muster::thread_rank(block);
    T a[N], b[N], c[N];
    for (int i = 0; i < N; ++i) a[i] = b[i] = c[i] = in[thread * N + i];
    if constexpr (N == 1) {
      a[0] = muster::softmax<Empty>(block, s.meeting, a[0]);
      b[0] = muster::log_softmax<Empty>(block, s.meeting, b[0]);
      log_sum[thread] = muster::log_sum_exp(block, s.meeting, c[0]).value();
    } else {
      muster::softmax<Empty>(block, s.meeting, a);
      muster::log_softmax<Empty>(block, s.meeting, b);
      log_sum[thread] = muster::log_sum_exp(block, s.meeting, c).value();
    }
    for (int i = 0; i < N; ++i) {
      soft[thread * N + i] = a[i];
      log_soft[thread * N + i] = b[i];
    }
  }
};

template <class T>
struct results {
  std::vector<T> soft, log_soft, log_sum;
};

template <class T, int N, muster::empty_row Empty, class Dims>
results<T> run_softmax(machine const& on, Dims dims, std::vector<T> const& row) {
  auto const in = on.memory(row);
  auto soft = on.memory(std::vector<T>(row.size(), T(-7)));
  auto log_soft = on.memory(std::vector<T>(row.size(), T(-7)));
  auto log_sum = on.memory(std::vector<T>(row.size() / N, T(-7)));
  on.run(muster::grid_dims(1), dims, softmax_row<T, Dims, N, Empty>{}, in.data(), soft.data(), log_soft.data(), log_sum.data());
  return {soft.to_vector(), log_soft.to_vector(), log_sum.to_vector()};
}

// Largest error: of softmax relative to the result, down to where it is denormal; of the logarithms relative to the larger of 1 and the result.
template <class T, int N, class Dims>
void compare_with_float64(machine const& on, Dims dims, double spread, double bound) {
  std::vector<T> row(static_cast<std::size_t>(dims.shape().volume()) * N);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<T>(spread * (static_cast<double>(scrambled(i) % 200001) / 100000.0 - 1));
  auto const got = run_softmax<T, N, muster::empty_row::nan>(on, dims, row);
  double maximum = -std::numeric_limits<double>::infinity(), sum = 0, worst = 0;
  for (T const v : row) maximum = std::max(maximum, static_cast<double>(v));
  for (T const v : row) sum += std::exp(static_cast<double>(v) - maximum);
  double const log_sum = maximum + std::log(sum);
  double const smallest = static_cast<double>(std::numeric_limits<T>::min());
  for (std::size_t i = 0; i < row.size(); ++i) {
    double const log_soft = static_cast<double>(row[i]) - log_sum;
    double const soft = std::exp(log_soft);
    // exp2's argument is rounded once, so that the relative error of a small result grows with its logarithm.
    double const grows = 1 + std::abs(log_soft) / 8;
    double const off = std::abs(static_cast<double>(got.soft[i]) - soft);
    if (soft >= smallest) worst = std::max(worst, off / soft / grows);
    else worst = std::max(worst, off <= smallest ? 0 : off / smallest);  // results below the normal range may become 0
    worst = std::max(worst, std::abs(static_cast<double>(got.log_soft[i]) - log_soft) / std::max(1.0, std::max(std::abs(log_soft), std::abs(log_sum))));
    worst = std::max(worst, std::abs(static_cast<double>(got.log_sum[i / N]) - log_sum) / std::max(1.0, std::abs(log_sum)));
  }
  INFO(on.name() << ", " << dims.shape().volume() << " threads, " << N << " values each, spread " << spread);
  CHECK(worst <= bound);
}

TEST_CASE("softmax of a block, its logarithm and log_sum_exp are close to float64") {
  for_each_machine([](machine const& on) {
    for (double const spread : {1e-3, 4.0, 80.0, 1e4}) {
      compare_with_float64<float, 1>(on, muster::block_dims<256>{}, spread, 2e-6);
      compare_with_float64<float, 3>(on, muster::block_dims<100>{}, spread, 2e-6);
      compare_with_float64<float, 2>(on, muster::block_dims<32, 32>{}, spread, 2e-6);
      compare_with_float64<float, 1>(on, muster::dynamic_block_dims{77}, spread, 2e-6);
      compare_with_float64<double, 2>(on, muster::block_dims<48>{}, spread, 8e-15);
      compare_with_float64<float, 4>(on, muster::block_dims<32>{}, spread, 2e-6);
    }
  });
}

template <class Dims>
void check_special_values(machine const& on, Dims dims) {
  auto const threads = static_cast<std::size_t>(dims.shape().volume());
  INFO(on.name() << ", " << threads << " threads");
  auto const all = [&](auto const& values, auto const& holds) {
    for (auto const& v : values)
      if (!holds(v)) return false;
    return true;
  };
  auto const is_nan = [](float v) { return std::isnan(v); };
  std::size_t const odd_one = threads - 1;  // in the last warp, a ragged one in some shapes
  auto const run = [&](float others, float one, auto const& expect) {
    std::vector<float> row(threads, others);
    row[odd_one] = one;
    expect(run_softmax<float, 1, muster::empty_row::nan>(on, dims, row), run_softmax<float, 1, muster::empty_row::zero>(on, dims, row));
  };
  run(1.0f, -infinity, [&](auto const& plain, auto const& zeros) {  // one entry is masked
    CHECK(plain.soft[odd_one] == 0.0f);
    CHECK(plain.soft[0] == Catch::Approx(1.0 / static_cast<double>(threads - 1)));
    CHECK(plain.log_soft[odd_one] == -infinity);
    CHECK(zeros.soft == plain.soft);
  });
  run(-infinity, 5.0f, [&](auto const& plain, auto const& zeros) {  // all but one are, so that whole warps have only -inf
    CHECK(plain.soft[odd_one] == 1.0f);
    CHECK(plain.soft[0] == 0.0f);
    CHECK(plain.log_soft[0] == -infinity);
    CHECK(all(plain.log_sum, [](float v) { return v == Catch::Approx(5.0); }));
    CHECK(zeros.soft == plain.soft);
  });
  run(-infinity, -infinity, [&](auto const& plain, auto const& zeros) {
    CHECK(all(plain.soft, is_nan));
    CHECK(all(plain.log_soft, is_nan));
    CHECK(all(zeros.soft, [](float v) { return v == 0.0f; }));
    CHECK(all(zeros.log_soft, [](float v) { return v == -infinity; }));
    CHECK(all(plain.log_sum, [](float v) { return v == -infinity; }));
  });
  run(0.0f, std::numeric_limits<float>::quiet_NaN(), [&](auto const& plain, auto const& zeros) {
    CHECK(all(plain.soft, is_nan));
    CHECK(all(plain.log_soft, is_nan));
    CHECK(all(zeros.soft, is_nan));
    CHECK(all(plain.log_sum, is_nan));
  });
  run(0.0f, infinity, [&](auto const& plain, auto const& zeros) {
    CHECK(all(plain.soft, is_nan));
    CHECK(all(zeros.log_soft, is_nan));
    CHECK(all(plain.log_sum, [](float v) { return v == infinity; }));
  });
  run(-3.0e38f, 3.0e38f, [&](auto const& plain, auto const&) {  // a spread beyond float
    CHECK(plain.soft[odd_one] == 1.0f);
    CHECK(plain.soft[0] == 0.0f);
  });
  run(1e-42f, 1e-42f, [&](auto const& plain, auto const&) {  // denormal, all equal
    CHECK(all(plain.soft, [&](float v) { return v == Catch::Approx(1.0 / static_cast<double>(threads)); }));
  });
}

TEST_CASE("special values of the softmax of a block") {
  for_each_machine([](machine const& on) {
    hana::for_each(hana::make_tuple(muster::block_dims<20>{}, muster::block_dims<65>{}, muster::block_dims<256>{}, muster::block_dims<545>{}, muster::dynamic_block_dims{97}),
                   [&](auto dims) { check_special_values(on, dims); });
  });
}

}  // namespace block_softmax_tests
