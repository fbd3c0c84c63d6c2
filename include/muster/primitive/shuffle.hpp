// Moving values between the members of a tile. Every operand that names a member is a rank; every member must call the same function together.
#pragma once

#include <type_traits>

#include <muster/backend/check.hpp>
#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/group_first.hpp>
#include <muster/core/held_by.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/shuffle_mode.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/value_traits.hpp>
#include <muster/plan/plan.hpp>
#include <muster/plan/plan_for.hpp>
#include <muster/plan/tiles.hpp>
#include <muster/primitive/run_plan.hpp>
#include <muster/primitive/run_ranks.hpp>

MUSTER_BEGIN

namespace detail {

// Named arguments carry the numbers into the message.
template <int Asked, int Width, int LargestXor, bool Known>
struct xor_stays_in_tile {
  static_assert(Known, "muster::shuffle_xor<X>(tile, v): who is in this group is known at run time only, so ranks cannot be paired; use shuffle(tile, v, rank) with a rank below num_threads(tile), or a reduction");
  static_assert(!Known || (Asked >= 0 && Asked <= LargestXor), "muster::shuffle_xor<X>(tile, v): xor leaves the tile; use a wider tile");
  static_assert(!Known || Asked < 0 || Asked > LargestXor || (Asked & LargestXor) == Asked,
                "muster::shuffle_xor<X>(tile, v): the members' ranks are not closed under this xor; some member would read a rank that does not exist");
  static constexpr bool value = true;
};

template <int Asked, int SmallestTile>
struct delta_is_below_tile_size {
  static_assert(Asked >= 0 && Asked < SmallestTile,
                "muster::shuffle_up/shuffle_down/shift_up/shift_down<D>(tile, v): the distance reaches beyond every member; use a wider tile, or no shuffle at all");
  static constexpr bool value = true;
};

// The members whose plan serves a group: its own where they are known, a full warp's where tiles are full (any tile of it).
template <class Group>
inline constexpr lane_set planned_members = Group::facts::is_static ? Group::facts::static_members : all_lanes;

template <class Group>
inline constexpr bool has_plan = Group::facts::is_static || Group::facts::is_full;

// A prefix of the warp: lower ranks exist wherever they would in a full tile, so that moves and scans upwards share its plan.
template <class Group>
inline constexpr bool has_upward_plan = has_plan<Group> || Group::facts::ranks_are_lanes;

// Distances are below the smallest tile's count; in a group known at run time below its width.
template <class Group>
inline constexpr int distance_limit = has_plan<Group> ? Group::facts::least_count : Group::width;

template <class Group>
inline constexpr int largest_xor = plan::largest_exchange<Group::width>(planned_members<Group>);

template <int Width, lane_set Members, plan::move Move, int N>
inline constexpr bool names_existing_ranks = plan::is_defined(Width, Members, Move, N);

template <plan::move Move, int N, class Group, class T, class Otherwise>
MUSTER_FN T move_planned(Group g, T const& v, Otherwise const& otherwise, site where) {
  if constexpr ((N == 0 && Move != plan::move::from_rank) || !names_existing_ranks<Group::width, planned_members<Group>, Move, N>) {
    return v;  // the callers have refused the ranks that do not exist
  } else {
    return run_move<plan::proven_move<Group::width, planned_members<Group>, Move, N>>(g.all_members(), v, otherwise, where);
  }
}

template <int Distance, class Group, class T, class Otherwise>
MUSTER_FN T move_up(Group g, T const& v, Otherwise const& otherwise, site where) {
  static_assert(delta_is_below_tile_size<Distance, distance_limit<Group>>::value && value_can_travel<T>::value);
  if constexpr (has_upward_plan<Group>) {
    return move_planned<plan::move::up, Distance>(g, v, otherwise, where);
  } else {
    return shift_by_rank(g, v, Distance, otherwise, where);
  }
}

template <int Distance, class Group, class T, class Otherwise>
MUSTER_FN T move_down(Group g, T const& v, Otherwise const& otherwise, site where) {
  static_assert(delta_is_below_tile_size<Distance, distance_limit<Group>>::value && value_can_travel<T>::value);
  if constexpr (has_plan<Group>) {
    return move_planned<plan::move::down, Distance>(g, v, otherwise, where);
  } else {
    return shift_by_rank(g, v, -Distance, otherwise, where);
  }
}

// Every member reads the member of rank Rank; any bytes may travel.
template <int Rank, class Group, class T>
MUSTER_FN T read_rank(Group g, T const& v, site where) {
  static_assert(rank_exists_in_every_tile<Rank, Group::facts::least_count>::value);
  if constexpr (has_upward_plan<Group>) {
    return move_planned<plan::move::from_rank, Rank>(g, v, own_value{}, where);
  } else {
    static_assert(Rank == 0);  // no other rank exists for certain
    unsigned const first = static_cast<unsigned>(backend::first_bit(g.own_members().bits));
    return backend::shuffle<shuffle_mode::idx>(g.all_members().bits, v, first, whole_warp, where);
  }
}

}  // namespace detail

// Member r gets what the member of rank `rank` of its tile passed in; each member may name another. 0 <= rank < num_threads(g): the emulator and checked builds report
// others, elsewhere they are undefined. T: any trivially copyable type but a pointer. Cost: one shfl a word, and a search for the lane where members are scattered.
// Source: PTX ISA, "shfl.sync".
template <int Width, class Members, class T>
MUSTER_RESULT_FN T shuffle(tile<Width, Members> g, T v, int rank, site where = site::here()) {
  static_assert(detail::value_can_travel<T>::value);
  if (!backend::check_rank(rank, g.own_members().count(), where)) rank = 0;
  if constexpr (tile<Width, Members>::facts::ranks_are_lanes) {
    return backend::shuffle<shuffle_mode::idx>(g.all_members().bits, v, static_cast<unsigned>(rank), segment_operand(Width, 0x1f), where);
  } else {
    return backend::shuffle<shuffle_mode::idx>(g.all_members().bits, v, static_cast<unsigned>(detail::lane_of_rank(g, rank)), detail::whole_warp, where);
  }
}

// Every member gets what the member of rank Rank of its tile passed in. Cost: one shfl a word.
template <int Rank, int Width, class Members, class T>
MUSTER_FN uniform<T, tile<Width, Members>> shuffle(tile<Width, Members> g, T v, site where = site::here()) {
  static_assert(detail::value_can_travel<T>::value);
  return detail::mint::make<uniform<T, tile<Width, Members>>>(detail::read_rank<Rank>(g, v, where));
}

// The same, also for pointers: a leader allocates for its tile.
template <int Rank, int Width, class Members, class T>
MUSTER_FN uniform<T, tile<Width, Members>> broadcast(tile<Width, Members> g, T v, site where = site::here()) {
  static_assert(detail::value_or_pointer_can_travel<T>::value);
  return detail::mint::make<uniform<T, tile<Width, Members>>>(detail::read_rank<Rank>(g, v, where));
}

// Member r gets the value of member r ^ X. X compiles where every tile's ranks are closed under it. Cost: one shfl a word.
template <int X, int Width, class Members, class T>
MUSTER_RESULT_FN T shuffle_xor(tile<Width, Members> g, T v, site where = site::here()) {
  using group = tile<Width, Members>;
  static_assert(detail::xor_stays_in_tile<X, Width, detail::has_plan<group> ? detail::largest_xor<group> : 0, detail::has_plan<group>>::value &&
                detail::value_can_travel<T>::value);
  return detail::move_planned<plan::move::exchange, X>(g, v, detail::own_value{}, where);
}

// Member r gets the value of member r - D; the first D keep their own. 0 <= D < the smallest tile's count (below the width for groups known at run time).
// Cost: one shfl a word.
template <int D, int Width, class Members, class T>
MUSTER_RESULT_FN T shuffle_up(tile<Width, Members> g, T v, site where = site::here()) {
  return detail::move_up<D>(g, v, detail::own_value{}, where);
}

// Member r gets the value of member r + D; the last D keep their own.
template <int D, int Width, class Members, class T>
MUSTER_RESULT_FN T shuffle_down(tile<Width, Members> g, T v, site where = site::here()) {
  return detail::move_down<D>(g, v, detail::own_value{}, where);
}

// As shuffle_up and shuffle_down, but the members past the edge get `fill`. Cost: one shfl and one select a word.
template <int D, int Width, class Members, class T>
MUSTER_RESULT_FN T shift_up(tile<Width, Members> g, T v, std::type_identity_t<T> fill, site where = site::here()) {
  return detail::move_up<D>(g, v, fill, where);
}
template <int D, int Width, class Members, class T>
MUSTER_RESULT_FN T shift_down(tile<Width, Members> g, T v, std::type_identity_t<T> fill, site where = site::here()) {
  return detail::move_down<D>(g, v, fill, where);
}

template <int Rank, class T, class Group>
template <class OtherGroup>
MUSTER_FN uniform<T, Group> held_by<Rank, T, Group>::broadcast(OtherGroup g, site where) const {
  static_assert(detail::held_value_belongs_to_group<held_by, OtherGroup>::value);
  if constexpr (std::is_same_v<OtherGroup, Group> && detail::is_tile<Group>) {
    this->check(g.all_members(), where);
    return detail::mint::make<uniform<T, Group>>(detail::read_rank<Rank>(g, value_, where));
  } else {
    static_assert(!std::is_same_v<OtherGroup, Group> || detail::is_tile<Group>,
                  "muster::held_by: what a thread of a block holds goes to the others through a storage: broadcast(block, storage, held)");
    return detail::mint::make<uniform<T, Group>>(value_);
  }
}

MUSTER_END
