// tile<Width, Members>: the token that says which lanes take part. Everything that moves data between lanes takes one first.
#pragma once

#include <type_traits>

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/members.hpp>
#include <muster/core/tile_facts.hpp>

MUSTER_BEGIN

namespace detail {

struct mint;

// Where a token keeps its membermask: nowhere, if the members are known at compile time.
template <class Members>
class mask_of {
 public:
  MUSTER_FN explicit mask_of(lane_set members) : members_(members) {}
  MUSTER_FN lane_set get() const { return members_; }

 private:
  lane_set members_;
};
template <lane_set S>
class mask_of<lanes<S>> {
 public:
  MUSTER_FN explicit mask_of(lane_set) {}
  MUSTER_FN static constexpr lane_set get() { return S; }
};

template <int Width>
inline constexpr bool is_tile_width = Width == 1 || Width == 2 || Width == 4 || Width == 8 || Width == 16 || Width == 32;

template <int Width>
struct width_is_a_power_of_two_up_to_32 {
  static_assert(is_tile_width<Width>, "muster::tile<Width>: a tile has 1, 2, 4, 8, 16 or 32 lanes; use the next power of two and only<S> for fewer members");
  static constexpr bool value = true;
};

template <lane_set Members>
struct set_of_lanes_is_not_empty {
  static_assert(!Members.empty(), "muster: a group needs at least one lane; a collective of nobody has no meaning (lane_set::range(first, count) is empty where it would go beyond lane 31)");
  static constexpr bool value = true;
};

// Named arguments carry the numbers into the message.
template <int Asked, int SmallestTile>
struct rank_exists_in_every_tile {
  static_assert(Asked >= 0 && Asked < SmallestTile,
                "muster: not every tile of the group has a member of this rank (of a group known at run time, only rank 0 is certain)");
  static constexpr bool value = true;
};

template <class Members>
struct members_check {
  static_assert(is_members<Members>, "muster::tile<Width, Members>: Members is lanes<S>, own_tile<W>, ragged or dynamic_lanes<Brand>");
  static constexpr bool value = true;
};
template <lane_set S>
struct members_check<lanes<S>> : set_of_lanes_is_not_empty<S> {};

}  // namespace detail

// A group of lanes: the warp's members, cut into aligned tiles of Width lanes. A collective on it works in each tile by itself and is one instruction
// for all of them. A token cannot be made, assigned, forged or stored: it comes from `this_warp`, `tiled_partition` or a narrowing function, and goes by value.
// Final: a class derived from a token would pass for one wherever a group is asked for, and for none where tokens are refused.
template <int Width, class Members = lanes<all_lanes>>
class MUSTER_TOKEN tile final : private detail::mask_of<Members> {
  static_assert(detail::width_is_a_power_of_two_up_to_32<Width>::value && detail::members_check<Members>::value);

 public:
  static constexpr int width = Width;
  using members = Members;
  using facts = detail::tile_facts<Width, Members>;

  // User-provided on purpose: a trivially copyable token could be forged by bit_cast.
  MUSTER_FN tile(tile const& other) : detail::mask_of<Members>(other.all_members()) {}
  tile& operator=(tile const&) = delete;

  // The lanes that take part in a collective of this token, those of all its tiles: the membermask operand.
  MUSTER_FN lane_set all_members() const { return this->get(); }

  // The members of the caller's tile.
  MUSTER_FN lane_set own_members() const {
    if constexpr (facts::is_single_tile) {
      return all_members();
    } else {
      return all_members() & tile_lanes<Width>(backend::lane());
    }
  }

 private:
  MUSTER_FN explicit tile(lane_set all) : detail::mask_of<Members>(all) {}
  friend struct detail::mint;
};

namespace detail {

template <class T>
inline constexpr bool is_tile = false;
template <int Width, class Members>
inline constexpr bool is_tile<tile<Width, Members>> = true;

// The one place where tokens, and values that state something about a group, are made; only the library's factories and collectives call it.
struct mint {
  template <class Made, class... Args>
  MUSTER_FN static Made make(Args... args) {
    return Made(args...);
  }
};

}  // namespace detail

// Any tile, and a tile of a given width: what helper functions ask for.
template <class T>
concept any_tile = detail::is_tile<std::remove_cvref_t<T>>;
template <class T, int Width>
concept tile_of = any_tile<T> && std::remove_cvref_t<T>::width == Width;

MUSTER_END
