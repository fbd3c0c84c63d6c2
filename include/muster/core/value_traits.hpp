// Which values may travel between lanes.
#pragma once

#include <type_traits>

#include <muster/config.hpp>

MUSTER_BEGIN

// Copying the bytes copies the value. True for trivially copyable types; specialise it for a type that is so without the standard's saying it
// (the packed halves of CUDA have user-provided constructors: see half.hpp).
template <class T>
inline constexpr bool is_bytewise_copyable = std::is_trivially_copyable_v<T>;

// Equal values have equal bytes and there is no padding; what match_* needs. Floating-point values count, by their bits.
// Specialise it for a struct of floating-point members that has no padding.
template <class T>
inline constexpr bool has_no_padding = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::has_unique_object_representations_v<T>;

namespace detail {

// uniform and held_by, which say something about the members of one group: read by another member, or in another group, it would not be true.
template <class T>
inline constexpr bool states_a_group = false;

template <class T>
struct value_is_plain {
  static_assert(!states_a_group<T>,
                "muster: a uniform or held_by speaks of the members of its own group and does not travel as such; pass uniform.value(), held.broadcast(group).value()");
  static constexpr bool value = true;
};

template <class T>
struct value_can_travel : value_is_plain<T> {
  static_assert(!std::is_pointer_v<T>,
                "muster: a pointer read from another lane is rarely what is meant (its local memory is not yours); shuffle the value, or use broadcast for an "
                "allocation that a leader made for its tile");
  static_assert(states_a_group<T> || std::is_pointer_v<T> || is_bytewise_copyable<T>,
                "muster: only trivially copyable values travel between lanes; send their parts, or specialise muster::is_bytewise_copyable if bytes are enough");
};

template <class T>
struct value_or_pointer_can_travel : value_is_plain<T> {
  static_assert(states_a_group<T> || std::is_pointer_v<T> || is_bytewise_copyable<T>,
                "muster: only trivially copyable values travel between lanes; send their parts, or specialise muster::is_bytewise_copyable if bytes are enough");
};

template <class T>
struct value_has_no_padding {
  static_assert(has_no_padding<T>,
                "muster::match_any/match_all compare bytes, and this type may have padding; match a packed key, or specialise muster::has_no_padding if it has none");
  static constexpr bool value = true;
};

}  // namespace detail

MUSTER_END
