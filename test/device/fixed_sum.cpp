// A warp's sum in fixed point: as exact as its result's type, and no number where a lane holds what fixed point cannot.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include <muster/device/fixed_sum.hpp>
#include <muster/muster.hpp>

#include "support/machines.hpp"
#include "support/values.hpp"

namespace fixed_sums {

using namespace test;

constexpr int most = 64;

struct sum_of_warps {
  MUSTER_FN void operator()(auto b, float const* in, float* out) const {
    auto const warp = muster::this_warp(b);
    int const i = muster::thread_rank(b);
    out[i] = muster::device::detail::fixed_sum<most>(warp, in[i]);
  }
};

std::vector<float> sums_of(machine const& on, std::vector<float> const& values) {
  auto in = on.memory(values);
  auto out = on.memory(std::vector<float>(values.size(), -7.0f));
  on.run(muster::grid_dims(1), muster::block_dims<256>{}, sum_of_warps{}, static_cast<float const*>(in.data()), out.data());
  return out.to_vector();
}

TEST_CASE("a sum in fixed point is exact but for the rounding of its result, for values of every size below the largest, and the same in every lane") {
  for_each_machine([](machine const& on) {
    INFO(on.name());
    for (int const trial : {0, 1, 2, 3}) {
      std::vector<float> values(256);
      for (int i = 0; i < 256; ++i) {
        double const unit = static_cast<double>(scrambled(static_cast<std::uint64_t>(i * 4 + trial)) % 16777216) / 16777216;
        // From nothing to just below the largest, with one value near 1 or more in each warp, as sums of exponentials have.
        values[i] = static_cast<float>(i % 32 == 5 ? 1 + unit : trial == 0 ? unit : trial == 1 ? unit * 63.9 : trial == 2 ? unit * 1e-6 : std::exp(-60 * unit));
      }
      auto const got = sums_of(on, values);
      for (int w = 0; w < 8; ++w) {
        double sum = 0;
        for (int i = 0; i < 32; ++i) sum += static_cast<double>(values[w * 32 + i]);
        INFO("values of kind " << trial << ", warp " << w << ": expected " << sum << ", got " << got[w * 32]);
        CHECK(std::abs(got[w * 32] - sum) <= 6e-8 * sum + 32 * most / 3.5e13);
        for (int i = 1; i < 32; ++i) REQUIRE(std::memcmp(&got[w * 32 + i], &got[w * 32], sizeof(float)) == 0);
      }
    }
  });
}

TEST_CASE("where a lane holds no number, infinity, one that is too large or one below 0, a sum in fixed point is no number") {
  for_each_machine([](machine const& on) {
    INFO(on.name());
    float const odd[] = {std::nanf(""), std::numeric_limits<float>::infinity(), 64.0f, 3e30f, -1.0f, -std::numeric_limits<float>::infinity(), -1e-30f, 63.99f};
    std::vector<float> values(256, 0.25f);
    for (int w = 0; w < 8; ++w) values[w * 32 + 3 * w] = odd[w];
    auto const got = sums_of(on, values);
    for (int w = 0; w < 8; ++w) {
      INFO("one lane of warp " << w << " holds " << odd[w]);
      for (int i = 0; i < 32; ++i) CHECK((w < 7 ? std::isnan(got[w * 32 + i]) : std::abs(got[w * 32 + i] - 71.74f) < 1e-5f));
    }
  });
}

}  // namespace fixed_sums
