// The four modes of shfl.sync and what they do to a lane (PTX ISA, "shfl.sync").
#pragma once

#include <cstdint>

#include <muster/config.hpp>

namespace muster {

enum class shuffle_mode : std::uint8_t { up, down, bfly, idx };

// Where a lane reads with operands b and c, and whether that lies in its segment; outside it reads itself.
struct shuffle_source {
  int lane = 0;
  bool in_range = false;
};

// shfl.sync's rule for one lane. b: offset or lane, 0 to 31. c: clamp in bits 0-4, segment mask in bits 8-12.
MUSTER_FN constexpr shuffle_source source_of(shuffle_mode mode, int lane, unsigned b, unsigned c) {
  int const offset = static_cast<int>(b & 31u);
  int const segment = static_cast<int>(c >> 8 & 31u);
  int const clamp = static_cast<int>(c & 31u);
  int const edge = (lane & segment) | (clamp & ~segment);
  int source = lane;
  bool in_range = false;
  switch (mode) {
    case shuffle_mode::up: source = lane - offset; in_range = source >= edge; break;
    case shuffle_mode::down: source = lane + offset; in_range = source <= edge; break;
    case shuffle_mode::bfly: source = lane ^ offset; in_range = source <= edge; break;
    case shuffle_mode::idx: source = (lane & segment) | (offset & ~segment); in_range = source <= edge; break;
  }
  return {in_range ? source : lane, in_range};
}

// The c operand for segments of a width with the full segment in range: what CUDA's intrinsics pass for xor, down and idx (up has clamp 0).
MUSTER_FN constexpr unsigned segment_operand(int width, int clamp) {
  return static_cast<unsigned>((32 - width) & 31) << 8 | static_cast<unsigned>(clamp);
}

}  // namespace muster
