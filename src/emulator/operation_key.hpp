// What must agree between the members of a collective or narrowing, in one word.
#pragma once

#include <cstddef>
#include <cstdint>

#include <muster/core/narrowing_kind.hpp>

namespace muster::emulator::detail {

enum class operation : std::uint8_t { shuffle, ballot, any, all, match_any, match_all, redux, sync_warp, check_uniform, narrowing };

// Of a collective: kind, qualifier (shuffle mode, redux operation, tile width), size in bytes. Of a narrowing: which function, the tiles' width, and its number.
struct operation_key {
  std::uint64_t word = 0;

  constexpr operation_key() = default;
  constexpr operation_key(operation kind, unsigned qualifier = 0, std::size_t bytes = 0)
      : word(static_cast<std::uint64_t>(kind) | static_cast<std::uint64_t>(qualifier) << 8 | static_cast<std::uint64_t>(bytes) << 32) {}
  constexpr operation_key(narrowing_kind which, int width, std::uint32_t number)
      : operation_key(operation::narrowing, static_cast<unsigned>(which) | static_cast<unsigned>(width) << 8, number) {}

  constexpr operation kind() const { return static_cast<operation>(word & 0xff); }
  constexpr unsigned qualifier() const { return static_cast<unsigned>(word >> 8 & 0xffffff); }
  constexpr std::size_t bytes() const { return static_cast<std::size_t>(word >> 32); }
  constexpr narrowing_kind narrowing() const { return static_cast<narrowing_kind>(word >> 8 & 0xff); }
  // 0: of the block
  constexpr int narrowing_width() const { return static_cast<int>(word >> 16 & 0xffff); }
  constexpr std::uint32_t narrowing_number() const { return static_cast<std::uint32_t>(word >> 32); }
  friend constexpr bool operator==(operation_key, operation_key) = default;
};

}  // namespace muster::emulator::detail
