// What the kernels of narrowing_kernels.hpp must give. One source for plain and for strict scopes.
#pragma once

#include <string>
#include <vector>

#include "support/machines.hpp"
#include "support/narrowing_kernels.hpp"

namespace test {

template <class Dims, class Kernel, class... Args>
std::vector<int> results_of(machine const& on, std::size_t size, Dims dims, Kernel const& kernel, Args... args) {
  auto out = on.memory(std::vector<int>(size, -99));
  on.run(muster::grid_dims(1), dims, kernel, args..., out.data());
  return out.to_vector();
}

// Compares whole vectors, so that a difference names its place.
inline void check_same(machine const& on, char const* what, std::vector<int> const& expected, std::vector<int> const& got) {
  INFO(on.name() << ", " << what);
  CHECK(expected == got);
}

inline void check_narrowing(machine const& on) {
  {
    std::vector<int> expected(64);
    for (int t = 0; t < 64; ++t) {
      int const first = t / 4 * 4;  // each side has the four lanes of its half tile
      expected[static_cast<std::size_t>(t)] = 4 * first + 6 + (t / 4 % 2 == 0 ? 0 : 1000) + (t % 32 == 0 ? 10000 : 0);
    }
    check_same(on, "only", expected, results_of(on, 64, muster::block_dims<64>{}, only_kernel{}));
  }
  {
    std::vector<int> expected(128);
    for (int t = 0; t < 64; ++t) {
      int const sum = 8 * (t / 8 * 8) + 28 + 1;
      expected[static_cast<std::size_t>(2 * t)] = t % 8 == 3 ? sum : -1;
      expected[static_cast<std::size_t>(2 * t + 1)] = sum;
    }
    check_same(on, "held values", expected, results_of(on, 128, muster::block_dims<64>{}, held_kernel{}));
  }
  {
    std::vector<int> expected(64);
    for (int t = 0; t < 64; ++t) {
      int sum = 0;
      for (int i = t / 4 * 4; i <= t; ++i) sum += i;
      expected[static_cast<std::size_t>(t)] = t / 4 % 2 == 1 ? sum : -4;
    }
    check_same(on, "branch on a uniform", expected, results_of(on, 64, muster::block_dims<64>{}, uniform_branch_kernel{}));
  }
  {
    std::vector<int> expected(20);
    for (int row = 0; row < 20; ++row) expected[static_cast<std::size_t>(row)] = 2 * row + 1;
    check_same(on, "each_tile with a loop", expected, results_of(on, 20, muster::block_dims<32>{}, rows_by_tile_kernel{}, 20));
  }
  for (int threads : {32, 45}) {
    std::vector<int> expected(static_cast<std::size_t>(threads));
    for (int t = 0; t < threads; ++t) {
      int const first = t / 32 * 32, last = first + 32 < threads ? first + 32 : threads;
      for (int trip = 1; trip <= t % 32 % 5; ++trip)
        for (int other = first; other < last; ++other) expected[static_cast<std::size_t>(t)] += other % 32 % 5 >= trip ? 1 : 0;
    }
    check_same(on, "lanes leave a loop", expected, results_of(on, expected.size(), muster::dynamic_block_dims{static_cast<unsigned>(threads)}, leaving_loop_kernel{}));
  }
  auto const warps = [&](auto dims) {
    int const threads = static_cast<int>(dims.shape().volume());
    std::vector<int> expected(static_cast<std::size_t>(2 * threads));
    for (int t = 0; t < threads; ++t) {
      auto const lanes = [&](int warp) { return threads - 32 * warp < 32 ? threads - 32 * warp : 32; };
      expected[static_cast<std::size_t>(2 * t)] = lanes(t / 32) == 32 ? 32 : 100 + lanes(t / 32);
      expected[static_cast<std::size_t>(2 * t + 1)] = t / 32 == 1 ? lanes(1) : 0;
    }
    check_same(on, "for_warps and only_warp", expected, results_of(on, expected.size(), dims, warps_kernel{}));
  };
  warps(muster::block_dims<64>{});
  warps(muster::block_dims<45>{});
  warps(muster::block_dims<10, 5>{});
  warps(muster::dynamic_block_dims{45});
  warps(muster::dynamic_block_dims{8, 4, 3});
}

}  // namespace test
