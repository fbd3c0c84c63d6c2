// held_by<Rank, T, Group>: a value that only the member of one rank has. What other libraries document as "valid in lane 0 only" is here a type.
#pragma once

#include <type_traits>

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/value_traits.hpp>

MUSTER_BEGIN

namespace detail {

template <class Held, class Group>
struct held_value_belongs_to_group {
  static_assert(std::is_same_v<typename Held::group, Group>,
                "muster::held_by: the value is held in another group; broadcast it with the group that produced it");
  static constexpr bool value = true;
};

// Named arguments carry the numbers into the message.
template <int Rank, class T>
struct held_value_is_no_plain_value {
  static_assert(Rank < 0,
                "muster::held_by<Rank, T, Group>: only the member of this rank has the value, so it does not convert; .broadcast(group) gives it to all members, "
                "only_rank<Rank>(group, with(held), body) opens it where it is");
  static constexpr bool value = true;
};

template <int Asked, int Rank, bool SameGroup>
struct held_value_is_opened_by_its_holder {
  static_assert(SameGroup && Asked == Rank,
                "muster::only_rank<R>(group, with(held), body): the value is held by another rank or in another group; open it with the rank and the group that made it");
  static constexpr bool value = true;
};

struct holder_access;

// Where a held value was made: the emulator knows by it when one outlives its scope. Nothing on a GPU, where held_by is its value alone.
#if MUSTER_ON_DEVICE
class birth {
 public:
  MUSTER_FN explicit birth(lane_set) {}
  MUSTER_FN void check(lane_set, site) const {}
};
#else
class birth {
 public:
  MUSTER_FN explicit birth(lane_set members) : mark_(emulator::mark_birth(members.bits)) {}
  MUSTER_FN void check(lane_set members, site where) const { emulator::check_birth(mark_, members.bits, where); }

 private:
  emulator::birth_mark mark_;
};
#endif

}  // namespace detail

// Comes from reduce_to<Rank>. It has no conversion and no assignment: .broadcast(g) gives it to all members of its own group, only_rank<Rank>(g, with(held), body) hands
// T& to the one that holds it. It ends with the scope that made it, so it does not survive a trip of loop_while: kept all the same, in raw storage or std::any, the
// emulator reports its use. Cost: none, on a GPU it is a T whose other copies mean nothing.
template <int Rank, class T, class Group>
class MUSTER_RESULT held_by : private detail::birth {
 public:
  static constexpr int rank = Rank;
  using value_type = T;
  using group = Group;

  // User-provided on purpose: a trivially copyable one could be forged by bit_cast.
  MUSTER_FN held_by(held_by const& other) : detail::birth(other), value_(other.value_) {}
  held_by& operator=(held_by const&) = delete;

  // Not a conversion but its error message.
  template <class Plain>
    requires std::is_convertible_v<T, Plain>
  MUSTER_FN operator Plain() const {
    static_assert(detail::held_value_is_no_plain_value<Rank, Plain>::value);
    return static_cast<Plain>(value_);
  }

  // Not an accessor but its error message.
  template <int Holder = Rank>
  MUSTER_FN T value() const {
    static_assert(detail::held_value_is_no_plain_value<Holder, T>::value);
    return value_;
  }

  // Gives every member the value of the one that holds it. All members must call it, with the group that made the value. Cost: one shuffle a word.
  template <class OtherGroup>
  MUSTER_FN uniform<T, Group> broadcast(OtherGroup g, site where = site::here()) const;

 private:
  MUSTER_FN held_by(T const& value, lane_set members) : detail::birth(members), value_(value) {}
  friend struct detail::mint;
  friend struct detail::holder_access;
  T value_;
};

namespace detail {

template <class T>
inline constexpr bool is_held = false;
template <int Rank, class T, class Group>
inline constexpr bool is_held<held_by<Rank, T, Group>> = true;
template <int Rank, class T, class Group>
inline constexpr bool states_a_group<held_by<Rank, T, Group>> = true;

struct holder_access {
  template <int Rank, class T, class Group>
  MUSTER_FN static birth const& birth_of(held_by<Rank, T, Group> const& held) {
    return held;
  }
  template <int Rank, class T, class Group>
  MUSTER_FN static T& of(held_by<Rank, T, Group>& held) {
    return held.value_;
  }
  template <int Rank, class T, class Group>
  MUSTER_FN static T const& of(held_by<Rank, T, Group> const& held) {
    return held.value_;
  }
};

// What only_rank<Rank> shows its body of a piece of state: the value, if it is held by just that rank of just that group.
template <int Rank, class Group>
class open_held {
 public:
  MUSTER_FN open_held(lane_set members, site where) : members_(members), where_(where) {}

  template <class T>
  MUSTER_FN T& operator()(T& value) const {
    return value;
  }
  template <class T>
  MUSTER_FN T& operator()(held_by<Rank, T, Group>& held) const {
    holder_access::birth_of(held).check(members_, where_);
    return holder_access::of(held);
  }
  template <class T>
  MUSTER_FN T const& operator()(held_by<Rank, T, Group> const& held) const {
    holder_access::birth_of(held).check(members_, where_);
    return holder_access::of(held);
  }
  template <int Other, class T, class OtherGroup>
  MUSTER_FN T& operator()(held_by<Other, T, OtherGroup>& held) const {
    static_assert(held_value_is_opened_by_its_holder<Rank, Other, std::is_same_v<Group, OtherGroup>>::value);
    return holder_access::of(held);
  }
  template <int Other, class T, class OtherGroup>
  MUSTER_FN T const& operator()(held_by<Other, T, OtherGroup> const& held) const {
    static_assert(held_value_is_opened_by_its_holder<Rank, Other, std::is_same_v<Group, OtherGroup>>::value);
    return holder_access::of(held);
  }

 private:
  lane_set members_;
  site where_;
};

}  // namespace detail

MUSTER_END
