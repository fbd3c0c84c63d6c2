// Values and operators of a user's own.
#pragma once

#include <cstdint>

#include <muster/config.hpp>

#include "patterns.hpp"
#include "support/stretch.hpp"

namespace policy_test {

using stretch = test::stretch<std::int16_t>;
using test::join;
inline pattern<stretch> stretches() { return {"stretches", values_by<stretch>([](int lane) { return stretch(lane, lane + 1, 1); })}; }

// Three counters: commutative, without a word about bits.
struct counters {
  std::uint32_t value[3];
};
struct add_counters {
  static constexpr bool is_commutative = true;
  template <class T>
  MUSTER_FN static T identity() {
    return T{};
  }
  MUSTER_FN counters operator()(counters const& a, counters const& b) const { return {{a.value[0] + b.value[0], a.value[1] + b.value[1], a.value[2] + b.value[2]}}; }
};
inline pattern<counters> counted() {
  return {"counters", values_by<counters>([](int lane) { return counters{{1u << lane, static_cast<std::uint32_t>(primes[lane]), ~0u - static_cast<std::uint32_t>(lane)}}; })};
}

}  // namespace policy_test
