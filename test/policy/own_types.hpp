// Values and operators of a user's own.
#pragma once

#include <cstdint>

#include <muster/config.hpp>

#include "patterns.hpp"

namespace policy_test {

// Neighbouring stretches join; anything else is remembered as wrong. Joining does not commute, and a value cannot be made from nothing.
struct stretch {
  std::int16_t first, last;
  std::int16_t state;  // 0: empty, 1: right, 2: joined out of order
  MUSTER_FN stretch(int first, int last, int state) : first(static_cast<std::int16_t>(first)), last(static_cast<std::int16_t>(last)), state(static_cast<std::int16_t>(state)) {}
};
struct join {
  static constexpr bool is_commutative = false;
  template <class T>
  MUSTER_FN static T identity() {
    return T(0, 0, 0);
  }
  MUSTER_FN stretch operator()(stretch const& a, stretch const& b) const {
    if (a.state == 0) return b;
    if (b.state == 0) return a;
    return stretch(a.first, b.last, a.state == 1 && b.state == 1 && a.last == b.first ? 1 : 2);
  }
};
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
