// Three unsigned sizes or coordinates, x fastest: the shape of a block or a grid, or a place in one.
#pragma once

#include <muster/config.hpp>

namespace muster {

struct extent {
  unsigned x = 1, y = 1, z = 1;

  friend MUSTER_FN constexpr bool operator==(extent, extent) = default;
  MUSTER_FN constexpr unsigned long long volume() const { return 1ull * x * y * z; }
};

// The linear number of a place in a shape: x first, then y, then z. This is the order in which threads fill warps.
MUSTER_FN constexpr unsigned linear_index(extent place, extent shape) { return place.x + shape.x * (place.y + shape.y * place.z); }

}  // namespace muster
