// The emulator's source of chance: one multiplication a draw, so that choosing the next lane costs little beside the switch to it.
#pragma once

#include <cstdint>

namespace muster::emulator::detail {

// SplitMix64's finaliser: turns neighbouring seeds into unrelated ones.
inline std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

// A counter multiplied to 128 bits and folded (the scheme of wyrand).
class random_numbers {
 public:
  random_numbers() = default;
  random_numbers(std::uint64_t seed, std::uint64_t stream) : state_(mixed(mixed(seed) ^ mixed(stream))) {}

  std::uint64_t next() {
    state_ += 0xa0761d6478bd642fu;
    auto const product = static_cast<wide>(state_) * (state_ ^ 0xe7037ed1a0b428dbu);
    return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
  }

 private:
  __extension__ using wide = unsigned __int128;

  std::uint64_t state_ = 0;
};

}  // namespace muster::emulator::detail
