// Matrices of more than 2^31 elements, every result of which is compared with float64 on the GPU. Values repeat with a prime period, so that a row's maximum and sum of
// exponentials are known from one period.
#include "device/support.hpp"

#include <muster/atomic_ref.hpp>
#include <muster/launch.hpp>

using namespace device_tests;

namespace many_elements_tests {

inline constexpr long long period = 8191;

MUSTER_FN inline float value_at(long long row, long long column) { return static_cast<float>((row * 4099 + column) % period * 37 % 1009) / 128; }

struct fill_rows {
  MUSTER_FN void operator()(auto block, float* values, long long rows, long long columns) const {
    long long const step = static_cast<long long>(muster::num_blocks(block)) * muster::num_threads(block);
    for (long long i = static_cast<long long>(muster::block_rank(block).value()) * muster::num_threads(block) + muster::thread_rank(block); i < rows * columns; i += step)
      values[i] = value_at(i / columns, i % columns);
  }
};

// Counts the results that differ from exp(value - largest) / sums[row] by more than float arithmetic does, and remembers one of them.
struct compare_rows {
  MUSTER_FN void operator()(auto block, float const* results, long long rows, long long columns, double largest, double const* sums, unsigned long long* wrong) const {
    long long const step = static_cast<long long>(muster::num_blocks(block)) * muster::num_threads(block);
    for (long long i = static_cast<long long>(muster::block_rank(block).value()) * muster::num_threads(block) + muster::thread_rank(block); i < rows * columns; i += step) {
      double const expected = muster::backend::natural_exp(static_cast<double>(value_at(i / columns, i % columns)) - largest) / sums[i / columns];
      double const off = static_cast<double>(results[i]) - expected;
      if (off <= 8e-6 * expected && off >= -8e-6 * expected) continue;
      muster::atomic_ref(wrong[0]).fetch_add(1ull);
      wrong[1] = static_cast<unsigned long long>(i);
    }
  }
};

#if defined(__CUDACC__)
std::string compare_filled(long long rows, long long columns) {
  auto const target = muster::on_device();
  std::size_t const bytes = static_cast<std::size_t>(rows * columns) * sizeof(float);
  std::size_t available = 0, all = 0;
  if (cudaMemGetInfo(&available, &all) != cudaSuccess || available < 2 * bytes + (1ull << 30))
    SKIP("two matrices of " << (bytes >> 30) << " GiB do not fit the device's free memory of " << (available >> 30) << " GiB");
  muster::buffer<float> in(target, static_cast<std::size_t>(rows * columns)), out(target, static_cast<std::size_t>(rows * columns));
  REQUIRE(cudaMemset(out.data(), 0xff, bytes) == cudaSuccess);
  muster::grid_dims const grid(4096);
  muster::block_dims<256> const threads;
  muster::launch(target, grid, threads, fill_rows{}, in.data(), rows, columns);
  device::softmax(target, static_cast<float const*>(in.data()), out.data(), rows, columns);

  double largest = 0;
  for (long long i = 0; i < std::min(period, columns); ++i) largest = std::max(largest, static_cast<double>(value_at(0, i)));
  std::vector<double> sums(static_cast<std::size_t>(rows));
  // Sums of a period's first values; rows begin at different ones.
  std::vector<double> sum_to(2 * period + 1);
  for (long long i = 0; i < 2 * period; ++i) sum_to[i + 1] = sum_to[i] + std::exp(static_cast<double>(value_at(0, i)) - largest);
  for (long long r = 0; r < rows; ++r) {
    long long const begin = r * 4099 % period;
    sums[r] = static_cast<double>(columns / period) * sum_to[period] + (sum_to[begin + columns % period] - sum_to[begin]);
  }
  auto const sums_there = muster::buffer<double>(target, sums);
  auto wrong = muster::buffer<unsigned long long>(target, std::vector<unsigned long long>(2));
  muster::launch(target, grid, threads, compare_rows{}, static_cast<float const*>(out.data()), rows, columns, largest, sums_there.data(), wrong.data());
  muster::wait(target);
  auto const found = wrong.to_vector();
  if (found[0] == 0) return "";
  return std::to_string(found[0]) + " of " + std::to_string(rows) + " x " + std::to_string(columns) + " results are wrong, one of them at " + std::to_string(found[1]);
}
#endif

TEST_CASE("matrices of more than 2^31 elements are computed to their last one") {
#if !defined(__CUDACC__)
  SKIP("they take a GPU's memory; this program was built without CUDA");
#else
  if (!muster::has_device()) SKIP("there is no GPU here");
  CHECK(compare_filled((1ll << 31) / 1024 + 3, 1024) == "");
  CHECK(compare_filled((1ll << 31) / 1025 + 3, 1025) == "");
  CHECK(compare_filled(3, (1ll << 30) + 5) == "");
#endif
}

}  // namespace many_elements_tests
