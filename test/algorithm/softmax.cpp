// softmax, log_softmax and log_sum_exp against float64, and their special values.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch_approx.hpp>

#include <muster/muster.hpp>

#include "support/machines.hpp"
#include "support/values.hpp"

// Named: nvcc 13.0 cannot tell apart kernel types of an unnamed namespace in some translation units.
namespace softmax_tests {

using namespace test;

constexpr float infinity = std::numeric_limits<float>::infinity();

// Each tile of Width lanes takes a row of Width * N values, N consecutive ones a lane.
template <class T, int Width, int N, muster::empty_row Empty>
struct softmax_rows {
  MUSTER_FN void operator()(auto block, T const* in, T* soft, T* log_soft, T* log_sum) const {
    auto const tile = muster::tiled_partition<Width>(muster::this_warp(block));
    int const thread = muster::thread_rank(block);
    T a[N], b[N], c[N];
    for (int i = 0; i < N; ++i) a[i] = b[i] = c[i] = in[thread * N + i];
    muster::softmax<Empty>(tile, a);
    muster::log_softmax<Empty>(tile, b);
    log_sum[thread] = muster::log_sum_exp(tile, c).value();
    for (int i = 0; i < N; ++i) {
      soft[thread * N + i] = a[i];
      log_soft[thread * N + i] = b[i];
    }
  }
};

template <class T>
struct softmax_results {
  std::vector<T> soft, log_soft, log_sum;
};

template <class T, int Width, int N, muster::empty_row Empty>
softmax_results<T> run_softmax(machine const& on, std::vector<T> const& rows) {
  auto const in = on.memory(rows);
  auto soft = on.memory(std::vector<T>(rows.size(), T(-7)));
  auto log_soft = on.memory(std::vector<T>(rows.size(), T(-7)));
  auto log_sum = on.memory(std::vector<T>(64, T(-7)));
  on.run(muster::grid_dims(1), muster::block_dims<64>{}, softmax_rows<T, Width, N, Empty>{}, in.data(), soft.data(), log_soft.data(), log_sum.data());
  return {soft.to_vector(), log_soft.to_vector(), log_sum.to_vector()};
}

// Largest error: of softmax relative to the result, down to where it is denormal; of the logarithms relative to the larger of 1 and the result.
template <class T, int Width, int N>
void compare_with_float64(machine const& on, double spread, double bound) {
  std::vector<T> rows(64 * N);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<T>(spread * (static_cast<double>(scrambled(i) % 200001) / 100000.0 - 1));
  auto const got = run_softmax<T, Width, N, muster::empty_row::nan>(on, rows);
  double worst = 0;
  for (std::size_t begin = 0; begin < rows.size(); begin += Width * N) {
    double maximum = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t i = begin; i < begin + Width * N; ++i) maximum = std::max(maximum, static_cast<double>(rows[i]));
    for (std::size_t i = begin; i < begin + Width * N; ++i) sum += std::exp(static_cast<double>(rows[i]) - maximum);
    double const log_sum = maximum + std::log(sum);
    for (std::size_t i = begin; i < begin + Width * N; ++i) {
      double const log_soft = static_cast<double>(rows[i]) - log_sum;
      double const soft = std::exp(log_soft);
      double const smallest = static_cast<double>(std::numeric_limits<T>::min());
      // exp2's argument is rounded once, so that the relative error of a small result grows with its logarithm.
      double const grows = 1 + std::abs(log_soft) / 8;
      double const off = std::abs(static_cast<double>(got.soft[i]) - soft);
      if (soft >= smallest) worst = std::max(worst, off / soft / grows);
      else worst = std::max(worst, off <= smallest ? 0 : off / smallest);  // results below the normal range may become 0
      worst = std::max(worst, std::abs(static_cast<double>(got.log_soft[i]) - log_soft) / std::max(1.0, std::max(std::abs(log_soft), std::abs(log_sum))));
      worst = std::max(worst, std::abs(static_cast<double>(got.log_sum[i / N]) - log_sum) / std::max(1.0, std::abs(log_sum)));
    }
  }
  INFO(on.name() << ", width " << Width << ", " << N << " values a lane, spread " << spread);
  CHECK(worst <= bound);
}

TEST_CASE("softmax, its logarithm and log_sum_exp are close to float64") {
  for_each_machine([](machine const& on) {
    for (double const spread : {1e-3, 4.0, 80.0, 1e4}) {
      compare_with_float64<float, 32, 1>(on, spread, 2e-6);
      compare_with_float64<float, 8, 3>(on, spread, 2e-6);
      compare_with_float64<double, 16, 2>(on, spread, 8e-15);
    }
  });
}

TEST_CASE("special values of softmax") {
  for_each_machine([](machine const& on) {
    INFO(on.name());
    std::vector<float> rows(64);
    auto const tile = [&](std::size_t index) { return rows.data() + 8 * index; };
    for (int i = 0; i < 8; ++i) {
      tile(0)[i] = i == 3 ? -infinity : 1.0f;                                         // one entry is masked
      tile(1)[i] = -infinity;                                                         // all are
      tile(2)[i] = i == 5 ? std::numeric_limits<float>::quiet_NaN() : 1.0f;           // a NaN
      tile(3)[i] = i == 2 ? infinity : 0.0f;                                          // +inf
      tile(4)[i] = i == 0 ? 3.0e38f : -3.0e38f;                                       // a spread beyond float
      tile(5)[i] = i == 7 ? 5.0f : -infinity;                                         // one entry is left
      tile(6)[i] = 1e-42f;                                                            // denormal
      tile(7)[i] = 2.0f;                                                              // all equal
    }
    auto const plain = run_softmax<float, 8, 1, muster::empty_row::nan>(on, rows);
    auto const zeros = run_softmax<float, 8, 1, muster::empty_row::zero>(on, rows);
    for (std::size_t i = 0; i < 8; ++i) {
      CHECK(plain.soft[i] == Catch::Approx(i == 3 ? 0.0 : 1.0 / 7).margin(0));
      CHECK(std::isnan(plain.soft[8 + i]));
      CHECK(std::isnan(plain.log_soft[8 + i]));
      CHECK(zeros.soft[8 + i] == 0.0f);
      CHECK(zeros.log_soft[8 + i] == -infinity);
      CHECK(plain.log_sum[8 + i] == -infinity);
      CHECK(std::isnan(plain.soft[16 + i]));
      CHECK(std::isnan(zeros.soft[16 + i]));
      CHECK(std::isnan(plain.log_sum[16 + i]));
      CHECK(plain.log_sum[24 + i] == infinity);
      CHECK(std::isnan(plain.soft[24 + i]));
      CHECK(std::isnan(plain.log_soft[24 + i]));
      CHECK(std::isnan(zeros.soft[24 + i]));
      CHECK(std::isnan(zeros.log_soft[24 + i]));
      CHECK(zeros.log_sum[24 + i] == infinity);
      CHECK(std::isnan(plain.log_soft[16 + i]));
      CHECK(plain.log_soft[i] == (i == 3 ? -infinity : plain.log_soft[0]));
      CHECK(plain.log_soft[i == 3 ? 0 : i] == Catch::Approx(-std::log(7.0)));
      CHECK(plain.log_soft[40 + i] == (i == 7 ? 0.0f : -infinity));
      CHECK(plain.soft[32 + i] == (i == 0 ? 1.0f : 0.0f));
      CHECK(plain.soft[40 + i] == (i == 7 ? 1.0f : 0.0f));
      CHECK(plain.log_sum[40 + i] == Catch::Approx(5.0));
      CHECK(plain.soft[48 + i] == Catch::Approx(0.125));
      CHECK(plain.soft[56 + i] == Catch::Approx(0.125));
    }
  });
}

}  // namespace softmax_tests
