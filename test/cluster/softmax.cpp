// softmax, log_softmax and log_sum_exp of clusters against float64, and their special values, in blocks that are empty, far apart or
// poisoned.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <catch2/catch_approx.hpp>

#include <muster/muster.hpp>

#include "on_clusters.hpp"

namespace cluster_tests {

// The cluster takes one row of N consecutive values a thread. The second half of each result is with empty_row::zero.
template <class T, class Clusters, class Dims, int N>
struct softmax_row {
  struct shared {
    muster::cluster_storage<T, Clusters, Dims> meeting;
  };
  MUSTER_FN void operator()(auto block, shared& s, int count, T const* in, T* soft, T* log_soft, T* log_sum) const {
    auto const cluster = muster::this_cluster(block);
    int const thread = muster::thread_rank(cluster);
    T values[N];
    auto const read = [&] {
      for (int i = 0; i < N; ++i) values[i] = in[thread * N + i];
    };
    auto const write = [&](T* out) {
      for (int i = 0; i < N; ++i) out[thread * N + i] = values[i];
    };
    using muster::empty_row;
    read(), muster::softmax(cluster, s.meeting, values), write(soft);
    read(), muster::softmax<empty_row::zero>(cluster, s.meeting, values), write(soft + count);
    read(), muster::log_softmax(cluster, s.meeting, values), write(log_soft);
    read(), muster::log_softmax<empty_row::zero>(cluster, s.meeting, values), write(log_soft + count);
    read(), log_sum[thread] = muster::log_sum_exp(cluster, s.meeting, values).value();
  }
};

template <class T>
struct results {
  std::vector<T> soft, soft_zeros, log_soft, log_soft_zeros, log_sum;
};

template <class T, int N, class Clusters, class Dims>
results<T> run_softmax(machine const& on, Clusters clusters, Dims dims, std::vector<T> const& row) {
  auto const in = on.memory(row);
  std::size_t const count = row.size();
  auto soft = on.memory(std::vector<T>(2 * count, T(-7))), log_soft = on.memory(std::vector<T>(2 * count, T(-7))),
       log_sum = on.memory(std::vector<T>(count / N, T(-7)));
  on.run_clusters(muster::grid_dims(static_cast<unsigned>(Clusters::count)), clusters, dims, softmax_row<T, Clusters, Dims, N>{},
                  static_cast<int>(count), in.data(), soft.data(), log_soft.data(), log_sum.data());
  auto const half = [&](auto& of, int which) {
    auto const all = of.to_vector();
    auto const begin = all.begin() + static_cast<std::ptrdiff_t>(which * static_cast<int>(count));
    return std::vector<T>(begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  return {half(soft, 0), half(soft, 1), half(log_soft, 0), half(log_soft, 1), log_sum.to_vector()};
}

template <class Clusters, class Dims>
std::size_t values_of(Clusters, Dims dims, int each) {
  return static_cast<std::size_t>(dims.shape().volume()) * static_cast<std::size_t>(Clusters::count * each);
}

// Error relative to the result; it grows with the logarithm of a small one, as the argument of its exponential is rounded.
template <class T, int N, class Clusters, class Dims>
void compare_with_float64(machine const& on, Clusters clusters, Dims dims, double spread, double bound) {
  std::vector<T> row(values_of(clusters, dims, N));
  for (std::size_t i = 0; i < row.size(); ++i)
    row[i] = static_cast<T>(spread * (static_cast<double>(scrambled(i) % 200001) / 100000.0 - 1));
  auto const got = run_softmax<T, N>(on, clusters, dims, row);
  double maximum = -std::numeric_limits<double>::infinity(), sum = 0, worst = 0;
  for (T const v : row) maximum = std::max(maximum, static_cast<double>(v));
  for (T const v : row) sum += std::exp(static_cast<double>(v) - maximum);
  double const log_sum = maximum + std::log(sum);
  for (std::size_t i = 0; i < row.size(); ++i) {
    double const log_soft = static_cast<double>(row[i]) - log_sum, soft = std::exp(log_soft), grows = 1 + std::abs(log_soft) / 4;
    if (soft >= static_cast<double>(std::numeric_limits<T>::min()))
      worst = std::max(worst, std::abs(static_cast<double>(got.soft[i]) - soft) / soft / grows);
    worst = std::max(worst, std::abs(static_cast<double>(got.log_soft[i]) - log_soft) / std::max(1.0, std::abs(log_soft)));
  }
  for (T const v : got.log_sum) {
    worst = std::max(worst, std::abs(static_cast<double>(v) - log_sum) / std::max(1.0, std::abs(log_sum)));
    CHECK(v == got.log_sum[0]);  // the same bits in every thread
  }
  INFO(on.name() << ", " << name_of(clusters, dims) << ", spread " << spread << ", worst error " << worst);
  CHECK(worst < bound);
  CHECK(got.soft == got.soft_zeros);
}

TEST_CASE("softmax of a cluster is near float64") {
  using muster::block_dims, muster::cluster_dims;
  for_each_machine([](machine const& on) {
    for (double const spread : {1.0, 80.0}) {
      compare_with_float64<float, 1>(on, cluster_dims<2>{}, block_dims<256>{}, spread, 1e-6);
      compare_with_float64<float, 3>(on, cluster_dims<8>{}, block_dims<64>{}, spread, 1e-6);
      compare_with_float64<float, 1>(on, cluster_dims<4>{}, block_dims<100>{}, spread, 1e-6);
      compare_with_float64<double, 2>(on, cluster_dims<16>{}, block_dims<128>{}, spread, 8e-15);
      compare_with_float64<double, 1>(on, cluster_dims<4>{}, muster::dynamic_block_dims{45}, spread, 8e-15);
    }
  });
}

// One thread has another value than the rest; where blocks are named, those before have `low`.
template <class Clusters, class Dims>
void check_special_values(machine const& on, Clusters clusters, Dims dims) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::size_t const threads = values_of(clusters, dims, 1), odd_one = threads - 1,
                    of_block = static_cast<std::size_t>(dims.shape().volume());
  INFO(on.name() << ", " << name_of(clusters, dims));
  auto const all = [&](auto const& values, auto const& holds) { return std::all_of(values.begin(), values.end(), holds); };
  auto const is_nan = [](float v) { return std::isnan(v); };
  auto const run = [&](float others, float one) {
    std::vector<float> row(threads, others);
    row[odd_one] = one;
    return run_softmax<float, 1>(on, clusters, dims, row);
  };
  auto got = run(-infinity, -1000.0f);  // all blocks but one are empty, and the row lies far below 0
  CHECK(got.soft[odd_one] == 1.0f);
  CHECK(got.soft[0] == 0.0f);
  CHECK(got.log_soft[0] == -infinity);
  CHECK(all(got.log_sum, [](float v) { return v == -1000.0f; }));
  CHECK(got.soft == got.soft_zeros);
  got = run(-infinity, -infinity);
  CHECK(all(got.soft, is_nan));
  CHECK(all(got.log_soft, is_nan));
  CHECK(all(got.soft_zeros, [](float v) { return v == 0.0f; }));
  CHECK(all(got.log_soft_zeros, [](float v) { return v == -infinity; }));
  CHECK(all(got.log_sum, [](float v) { return v == -infinity; }));
  got = run(0.0f, std::numeric_limits<float>::quiet_NaN());
  CHECK(all(got.soft, is_nan));
  CHECK(all(got.soft_zeros, is_nan));
  CHECK(all(got.log_soft, is_nan));
  CHECK(all(got.log_sum, is_nan));
  got = run(-1000.0f, infinity);
  CHECK(all(got.soft, is_nan));
  CHECK(all(got.log_soft_zeros, is_nan));
  CHECK(all(got.log_sum, [](float v) { return v == infinity; }));
  got = run(-3.0e38f, 3.0e38f);  // a spread beyond float
  CHECK(got.soft[odd_one] == 1.0f);
  CHECK(got.soft[0] == 0.0f);
  std::vector<float> row(threads, -2000.0f);  // blocks far apart: the last one decides, all of it
  std::fill(row.end() - static_cast<std::ptrdiff_t>(of_block), row.end(), 1000.0f);
  got = run_softmax<float, 1>(on, clusters, dims, row);
  CHECK(got.soft[0] == 0.0f);
  CHECK(got.soft[odd_one] == Catch::Approx(1.0 / static_cast<double>(of_block)));
}

TEST_CASE("special values of the softmax of a cluster") {
  for_each_machine([](machine const& on) {
    check_special_values(on, muster::cluster_dims<2>{}, muster::block_dims<256>{});
    check_special_values(on, muster::cluster_dims<4>{}, muster::block_dims<100>{});
  });
}

}  // namespace cluster_tests
