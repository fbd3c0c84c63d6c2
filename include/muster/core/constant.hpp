// constant<N>: a number in a type; the same in every lane, so it mixes with any uniform.
#pragma once

#include <muster/config.hpp>

namespace muster {

template <int N>
struct constant {
  using value_type = int;
  static constexpr int value = N;
  MUSTER_FN constexpr operator int() const { return N; }
};

}  // namespace muster
