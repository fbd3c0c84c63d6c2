// policy::redux: reductions by redux.sync, the warp's integer reduction unit. One instruction for a sum, minimum, maximum or bit operation on 32 bits.
#pragma once

#include <cstdint>
#include <type_traits>

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/redux_operation.hpp>
#include <muster/core/site.hpp>

MUSTER_BEGIN

namespace policy {

namespace redux_parts {

// How redux.sync does a fold: directly on the value's bits, on an order-preserving key (floats), in three parts (64-bit sums), in two halves (64-bit bit operations).
enum class redux_way : std::uint8_t { none, direct, ordered_key, sum_in_parts, bits_in_halves };

template <class Op>
inline constexpr bool is_bit_operation = std::is_same_v<Op, bit_and> || std::is_same_v<Op, bit_or> || std::is_same_v<Op, bit_xor>;
template <class Op>
inline constexpr bool is_extremum = std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum>;

template <class Op, class T>
inline constexpr redux_way way_of = !std::is_arithmetic_v<T>                                                           ? redux_way::none
                                    : std::is_same_v<T, float> && is_extremum<Op>                                       ? redux_way::ordered_key
                                    : std::is_floating_point_v<T>                                                       ? redux_way::none
                                    : sizeof(T) <= 4 && (std::is_same_v<Op, plus> || is_extremum<Op> || is_bit_operation<Op>) ? redux_way::direct
                                    : sizeof(T) == 8 && std::is_same_v<Op, plus>                                        ? redux_way::sum_in_parts
                                    : sizeof(T) == 8 && is_bit_operation<Op>                                            ? redux_way::bits_in_halves
                                                                                                                        : redux_way::none;

// redux.sync's operation for an operator on 32-bit integers, signed or not.
template <class Op, bool Signed>
inline constexpr redux_operation operation_of = std::is_same_v<Op, bit_and>   ? redux_operation::bit_and
                                                : std::is_same_v<Op, bit_or>  ? redux_operation::bit_or
                                                : std::is_same_v<Op, bit_xor> ? redux_operation::bit_xor
                                                : std::is_same_v<Op, minimum> ? (Signed ? redux_operation::min_s32 : redux_operation::min_u32)
                                                : std::is_same_v<Op, maximum> ? (Signed ? redux_operation::max_s32 : redux_operation::max_u32)
                                                                              : redux_operation::add;

// A float's bits as a signed integer of the same order, and back: it is its own inverse. NaN becomes the key that never wins.
MUSTER_FN inline std::uint32_t flip(std::uint32_t bits) { return bits ^ (static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31) & 0x7fffffffu); }

template <class Op>
MUSTER_FN std::uint32_t key_of(float v) {
  std::uint32_t bits;
  __builtin_memcpy(&bits, &v, sizeof bits);
  constexpr std::uint32_t loser = std::is_same_v<Op, minimum> ? 0x7fffffffu : 0x80000000u;  // both are NaNs when turned back
  return v != v ? loser : flip(bits);
}
MUSTER_FN inline float value_of(std::uint32_t key) {
  std::uint32_t const bits = flip(key);
  float v;
  __builtin_memcpy(&v, &bits, sizeof v);
  return v;
}

}  // namespace redux_parts

struct redux_policy {
  static constexpr char const* name() { return "redux"; }

  // Sums, minima, maxima and bit operations on integers up to 32 bits, minima and maxima of float, sums and bit operations on 64-bit integers.
  template <class Op, class T, class Group>
  static consteval bool supports() {
    return redux_parts::way_of<Op, T> != redux_parts::redux_way::none;
  }

  // Every member of a tile gets the fold of all of them. redux.sync knows no tiles: where the token has several, each is named by a mask of its own, and
  // the hardware takes them one after the other (several times slower than shuffles). Cost: one redux.sync; three for a 64-bit sum, two for 64-bit bits.
  // Source: PTX ISA, "redux.sync".
  template <class Group, class T, class Op>
  MUSTER_FN static T reduce(Group g, T const& v, Op const&, site where) {
    constexpr redux_parts::redux_way way = redux_parts::way_of<Op, T>;
    std::uint32_t const mask = g.own_members().bits;
    if constexpr (way == redux_parts::redux_way::direct) {
      constexpr redux_operation operation = redux_parts::operation_of<Op, std::is_signed_v<T>>;
      return static_cast<T>(backend::redux<operation>(mask, static_cast<std::uint32_t>(v), where));
    } else if constexpr (way == redux_parts::redux_way::ordered_key) {
      return redux_parts::value_of(backend::redux<redux_parts::operation_of<Op, true>>(mask, redux_parts::key_of<Op>(v), where));
    } else if constexpr (way == redux_parts::redux_way::bits_in_halves) {
      constexpr redux_operation operation = redux_parts::operation_of<Op, false>;
      auto const bits = static_cast<std::uint64_t>(v);
      std::uint64_t const high = backend::redux<operation>(mask, static_cast<std::uint32_t>(bits >> 32), where);
      return static_cast<T>(high << 32 | backend::redux<operation>(mask, static_cast<std::uint32_t>(bits), where));
    } else {
      // Parts of 27, 27 and 10 bits: 32 of a part fit into 32 bits, so nothing carries inside redux.sync.
      auto const bits = static_cast<std::uint64_t>(v);
      constexpr std::uint32_t part = (1u << 27) - 1;
      std::uint64_t const low = backend::redux<redux_operation::add>(mask, static_cast<std::uint32_t>(bits) & part, where);
      std::uint64_t const middle = backend::redux<redux_operation::add>(mask, static_cast<std::uint32_t>(bits >> 27) & part, where);
      std::uint64_t const high = backend::redux<redux_operation::add>(mask, static_cast<std::uint32_t>(bits >> 54), where);
      return static_cast<T>(low + (middle << 27) + (high << 54));
    }
  }
};

inline constexpr redux_policy redux{};

}  // namespace policy

MUSTER_END
