// What an operator says of itself (core/monoid.hpp) and a fold can try on the values it has.
#pragma once

#include <cstdint>

namespace muster {

enum class operator_law : std::uint8_t {
  identity,        // identity · v == v
  identity_after,  // v · identity == v
  neutral,         // the same of neutral<T>()
  neutral_after,
  commutative,     // a · b == b · a
};

}  // namespace muster
