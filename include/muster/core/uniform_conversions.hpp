// In which group a value is uniform, and what it converts to there. uniform.hpp has the value itself.
#pragma once

#include <concepts>
#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/members.hpp>
#include <muster/core/tile.hpp>

MUSTER_BEGIN

template <class Dims>
class block;
template <class Dims>
class cluster;
template <class Dims>
class grid;
template <class T, class Group>
class uniform;

namespace detail {

template <class T>
inline constexpr bool is_block = false;
template <class Dims>
inline constexpr bool is_block<block<Dims>> = true;

// A block is one group; a tile is one group where all members of the token lie in one tile.
template <class Group>
inline constexpr bool is_one_group = true;
template <int Width, class Members>
inline constexpr bool is_one_group<tile<Width, Members>> = tile<Width, Members>::facts::is_single_tile;

template <class Group>
struct tiles_of_a_token_may_part_ways {
  static_assert(is_one_group<Group>,
                "muster: this value is uniform in each tile only, and the token names the lanes of several tiles: a native if or loop on it lets tiles part ways "
                "under a token that names them all; use branch(tile, condition, body) or loop_while, or .value() where no collective follows");
  static constexpr bool value = true;
};

template <class Group, class Other>
struct uniform_is_of_this_group {
  static_assert(std::is_same_v<Group, Other>,
                "muster: this value is uniform in another group, and what is the same in one tile need not be so in another; compute it on this group");
  static constexpr bool value = true;
};

// The group in which a combination of values of two groups is uniform: a block's value is uniform in each of its tiles.
template <class A, class B>
struct joined_group {
  static_assert(uniform_is_of_this_group<A, B>::value);
  using type = A;
};
template <class Dims, int Width, class Members>
struct joined_group<block<Dims>, tile<Width, Members>> {
  using type = tile<Width, Members>;
};
template <class Dims, int Width, class Members>
struct joined_group<tile<Width, Members>, block<Dims>> {
  using type = tile<Width, Members>;
};

// What is uniform in a cluster or grid is so in its blocks, its clusters and their tiles. A is the narrower one.
template <class A, class B>
inline constexpr bool is_part_of = false;
template <class Dims>
inline constexpr bool is_part_of<block<Dims>, cluster<Dims>> = true;
template <class Dims>
inline constexpr bool is_part_of<block<Dims>, grid<Dims>> = true;
template <class Dims>
inline constexpr bool is_part_of<cluster<Dims>, grid<Dims>> = true;
template <int Width, class Members, class Dims>
inline constexpr bool is_part_of<tile<Width, Members>, cluster<Dims>> = true;
template <int Width, class Members, class Dims>
inline constexpr bool is_part_of<tile<Width, Members>, grid<Dims>> = true;
template <class A, class B>
  requires(is_part_of<A, B>)
struct joined_group<A, B> {
  using type = A;
};
template <class A, class B>
  requires(is_part_of<B, A>)
struct joined_group<A, B> {
  using type = B;
};

// Two widths of tile around the same known lanes, all of them in one tile by either: the same members. A is the left operand's.
template <class A, class B>
inline constexpr bool has_same_members = false;
template <int WidthA, int WidthB, lane_set S>
inline constexpr bool has_same_members<tile<WidthA, lanes<S>>, tile<WidthB, lanes<S>>> =
    WidthA != WidthB && is_one_group<tile<WidthA, lanes<S>>> && is_one_group<tile<WidthB, lanes<S>>>;
template <class A, class B>
  requires(has_same_members<A, B>)
struct joined_group<A, B> {
  using type = A;
};

// A value of the group Other is uniform in Group too: Group is Other, or has its members, or is a tile of that block, or a part of that cluster or grid.
template <class Group, class Other>
struct is_uniform_in : uniform_is_of_this_group<Group, typename joined_group<Group, Other>::type> {};

// What a uniform converts to. These are bases and not constrained members: in a `switch` g++ 12 and clang++ 19 count conversions whose constraints do not hold.

// An object: to T; and to exactly bool, which is what `if`, `while` and `?:` ask for.
template <class T, class Group>
struct uniform_conversions {
  MUSTER_FN operator T() const { return static_cast<uniform<T, Group> const&>(*this).value(); }

  template <class U>
    requires std::same_as<U, bool>
  MUSTER_FN operator U() const {
    static_assert(tiles_of_a_token_may_part_ways<Group>::value);
    return static_cast<bool>(static_cast<uniform<T, Group> const&>(*this).value());
  }
};

// A bool: to nothing else.
template <class Group>
struct uniform_conversions<bool, Group> {
  template <class U>
    requires std::same_as<U, bool>
  MUSTER_FN operator U() const {
    static_assert(tiles_of_a_token_may_part_ways<Group>::value);
    return static_cast<uniform<bool, Group> const&>(*this).value();
  }
};

// A number, an enumeration or a pointer: to T, and where one group decides, the language takes that for a condition and for a `switch`.
template <class T, class Group>
  requires(std::is_scalar_v<T> && is_one_group<Group>)
struct uniform_conversions<T, Group> {
  MUSTER_FN operator T() const { return static_cast<uniform<T, Group> const&>(*this).value(); }
};

// Where several tiles do: to T where a value is wanted, but a condition, or a bool that keeps one, finds the error first, and a `switch`,
// which takes no class that converts to two integers or enumerations, finds a second one.
// g++ 12 lists the conversion to bool instead: its constraint's name says the same.
template <class U>
concept bool_that_lets_tiles_part_ways_so_use_value = std::same_as<U, bool>;
enum class switch_lets_tiles_part_ways_so_use_value {};
template <class T, class Group>
  requires(std::is_scalar_v<T> && !is_one_group<Group>)
struct uniform_conversions<T, Group> {
  MUSTER_FN operator T() const { return static_cast<uniform<T, Group> const&>(*this).value(); }

#if defined(__clang__)
  // clang++ 19 crashes where it lists the conversions of a `switch` and one is a template: so `bool b = u`, which keeps the condition for later, passes there.
  MUSTER_FN explicit operator bool() const {
#else
  template <bool_that_lets_tiles_part_ways_so_use_value U>
  MUSTER_FN operator U() const {
#endif
    static_assert(tiles_of_a_token_may_part_ways<Group>::value);
    return static_cast<bool>(static_cast<uniform<T, Group> const&>(*this).value());
  }
  MUSTER_FN operator switch_lets_tiles_part_ways_so_use_value() const { return {}; }
};

}  // namespace detail

MUSTER_END
