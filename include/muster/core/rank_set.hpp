// rank_set<Group>: a set of ranks of the caller's tile, as ballot and match_* return it. Always masked by the members, asked by rank, and not an int.
#pragma once

#include <type_traits>

#include <muster/backend/check.hpp>
#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>

MUSTER_BEGIN

namespace detail {

template <class Number>
struct rank_set_is_no_number {
  static_assert(!std::is_arithmetic_v<Number>,
                "muster::rank_set: a set of ranks is not a number, and its bits are not lanes of the warp; ask it: contains(rank), count(), first(), below(rank), empty()");
  static constexpr bool value = true;
};

}  // namespace detail

// Kept as lane bits. Where ranks are lanes of the tile they are shifted once to the tile's base, so that every query is one bit operation.
template <class Group>
class MUSTER_RESULT rank_set {
  static constexpr bool shifted = Group::facts::ranks_are_lanes;

 public:
  using group = Group;

  // How many ranks are in the set.
  MUSTER_FN int count() const { return set_.count(); }
  MUSTER_FN bool empty() const { return set_.empty(); }

  // Whether a rank is in the set. 0 <= rank < num_threads(group): the emulator and checked builds report others, elsewhere they are undefined.
  MUSTER_FN bool contains(int rank, site where = site::here()) const { return set_.contains(lane_of(rank, where)); }

  // The lowest rank in the set; -1 if it is empty.
  MUSTER_FN int first() const {
    int const lane = backend::first_bit(set_.bits);
    return shifted || lane < 0 ? lane : members_.rank_of(lane);
  }

  // How many ranks of the set lie below a rank: the place of that rank in a compaction. 0 <= rank < num_threads(group), as above; how many there are in all, count() says.
  MUSTER_FN int below(int rank, site where = site::here()) const { return set_.rank_of(lane_of(rank, where)); }

  // Not a conversion but its error message.
  template <class Number>
    requires std::is_arithmetic_v<Number>
  MUSTER_FN operator Number() const {
    static_assert(detail::rank_set_is_no_number<Number>::value);
    return Number();
  }

  friend MUSTER_FN bool operator==(rank_set const& a, rank_set const& b) { return a.set_ == b.set_; }

 private:
  // lanes: some of the group's, of the caller's tile and perhaps of others.
  MUSTER_FN rank_set(Group g, lane_set lanes) : set_(of_own_tile(g, lanes)), members_(kept_members(g)) {}

  // Where ranks are lanes no query needs the members but the check of a rank.
  MUSTER_FN static lane_set kept_members(Group g) { return shifted && !backend::checks_are_made ? lane_set{} : g.own_members(); }

  MUSTER_FN static lane_set of_own_tile(Group g, lane_set lanes) {
    if constexpr (!shifted) {
      return lanes & g.own_members();
    } else if constexpr (Group::width == warp_size) {
      return lanes;
    } else {
      lane_set const from_base{lanes.bits >> (backend::lane() & ~(Group::width - 1))};
      return Group::facts::is_single_tile ? from_base : from_base & lane_set::range(0, Group::width);
    }
  }

  MUSTER_FN int lane_of(int rank, site where) const {
    if (!backend::check_rank(rank, members_.count(), where)) rank = 0;
    return shifted ? rank : members_.lane_of(rank);
  }
  friend struct detail::mint;

  lane_set set_;
  lane_set members_;
};

MUSTER_END
