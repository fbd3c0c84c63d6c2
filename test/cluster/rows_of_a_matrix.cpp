// The device level's kernel of a cluster a row, which the emulator runs too; device::softmax takes it on a GPU alone.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include <muster/device/softmax.hpp>

#include "support/machines.hpp"
#include "support/values.hpp"

namespace cluster_row_tests {

using namespace test;
namespace rows_by = muster::device::detail;

TEST_CASE("a cluster takes a row of a matrix") {
  constexpr int blocks = 2, threads = 64;
  constexpr long long rows = 3, columns = 2000;
  using result = rows_by::softmax_result<muster::empty_row::nan>;
  using kernel = rows_by::softmax_by_clusters<result, float, blocks, threads, 4, rows_by::whole_accesses<16>>;
  for_each_machine([](machine const& on) {
    std::vector<float> values(rows * columns);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(scrambled(i) % 4001) / 100.0f - 20.0f;
    auto const in = on.memory(values);
    auto out = on.memory(std::vector<float>(values.size(), -7.0f));
    using muster::device::as_is, muster::device::matrix;
    on.run_clusters(muster::grid_dims(rows * blocks), muster::cluster_dims<blocks>{}, muster::block_dims<threads>{}, kernel{},
                    matrix<float const>{in.data(), rows, columns, columns}, matrix<float>{out.data(), rows, columns, columns}, as_is{}, as_is{});
    auto const got = out.to_vector();
    double worst = 0;
    for (long long row = 0; row < rows; ++row) {
      auto const begin = values.begin() + row * columns;
      double const greatest = *std::max_element(begin, begin + columns);
      double sum = 0;
      for (long long i = 0; i < columns; ++i) sum += std::exp(static_cast<double>(begin[i]) - greatest);
      for (long long i = 0; i < columns; ++i) {
        double const expected = std::exp(static_cast<double>(begin[i]) - greatest) / sum;
        worst = std::max(worst, std::abs(static_cast<double>(got[static_cast<std::size_t>(row * columns + i)]) - expected) / expected);
      }
    }
    INFO(on.name() << ", worst error " << worst);
    CHECK(worst < 1e-5);
  });
}

}  // namespace cluster_row_tests
