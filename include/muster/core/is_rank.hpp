// Which lane has a rank: in every tile of a set that is known, and whether it is the caller's.
#pragma once

#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/lane_test.hpp>
#include <muster/core/members.hpp>
#include <muster/core/tile.hpp>

MUSTER_BEGIN

namespace detail {

// The lane of a rank in each tile.
template <int Width, lane_set Members, int Rank>
MUSTER_FN constexpr lane_set lanes_of_rank() {
  lane_set result;
  for (int base = 0; base < warp_size; base += Width) {
    lane_set const members = Members & lane_set::range(base, Width);
    if (members.count() > Rank) result = result | lane_set::single(members.lane_of(Rank));
  }
  return result;
}

// Whether the caller is the member of a rank of its tile.
template <int Rank, int Width, class Members>
MUSTER_FN bool is_rank(tile<Width, Members> g) {
  static_assert(rank_exists_in_every_tile<Rank, tile<Width, Members>::facts::least_count>::value);
  if constexpr (is_static<Members>) {
    return lane_is_in<lanes_of_rank<Width, static_lanes<Members>, Rank>()>(backend::lane());
  } else {
    return g.own_members().rank_of(backend::lane()) == Rank;
  }
}

}  // namespace detail

MUSTER_END
