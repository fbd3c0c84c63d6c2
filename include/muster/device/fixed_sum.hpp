// A warp's sum of floats in fixed point: integers are summed by the hardware in one step, where floats take five shuffles.
#pragma once

#include <cstdint>
#include <type_traits>

#include <muster/algorithm/reduce.hpp>
#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/tile.hpp>
#include <muster/device/vector.hpp>
#include <muster/primitive/vote.hpp>

MUSTER_BEGIN

namespace device::detail {

// The sum of what the 32 lanes hold, the same in each. Of floats in [0, Most), Most a power of two, each is cut into two integers, of which the sums are exact: what is lost
// are 32 roundings to Most * 2^-45, and two of the result: 1.2e-7 of it. NaN if a lane holds another float: NaN, infinity, one below 0 or too large. Doubles are added as usual.
// Cost: two redux.sync and a vote that do not wait for each other, about 85 cycles instead of 150.
template <int Most, class A>
MUSTER_FN A fixed_sum(tile<warp_size> warp, A value) {
  static_assert(Most > 0 && (Most & (Most - 1)) == 0);
  if constexpr (std::is_same_v<A, float>) {
    // A float in [2 * Most, 4 * Most) has steps of Most * 2^-22: added to 3 * Most, a value is rounded to such steps, and its bits count them.
    constexpr float high_zero = 3.0f * Most, low_zero = high_zero / 4194304, step = static_cast<float>(Most) / 4194304, low_step = step / 4194304;
    float const high = value + high_zero;
    float const low = value - (high - high_zero) + low_zero;
    auto const steps = [&](float of, float zero) {
      auto const total = reduce(warp, bits_as<std::uint32_t>(of), plus{}).value();
      return static_cast<float>(static_cast<std::int32_t>(total - warp_size * bits_as<std::uint32_t>(zero)));
    };
    float const high_steps = steps(high, high_zero), low_steps = steps(low, low_zero);
    bool const is_in_range = all(warp, value >= 0 && value < Most).value();
    return is_in_range ? high_steps * step + low_steps * low_step : numeric<float>::nan();
  } else {
    return reduce(warp, value, plus{}).value();
  }
}

}  // namespace device::detail

MUSTER_END
