// reduce over a whole block. Every thread must call it together, in no narrowed scope.
#pragma once

#include <cstdint>
#include <type_traits>

#include <muster/algorithm/agreement.hpp>
#include <muster/algorithm/block_fold.hpp>
#include <muster/algorithm/block_storage.hpp>
#include <muster/algorithm/block_way.hpp>
#include <muster/algorithm/reduce.hpp>
#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/site.hpp>
#include <muster/core/uniform.hpp>
#include <muster/policy/automatic.hpp>
#include <muster/policy/check.hpp>

MUSTER_BEGIN

namespace detail {

// Each tile's partial into shared memory.
template <block_way Way, class Policy, class Dims, class T, class Op>
MUSTER_FN void meet(block<Dims> b, std::uint32_t* partials, T const& v, Op const& op, site where) {
  T const own = in_own_warp(b, [&](auto warp) { return reduced<Policy>(tiled_partition<Way.tile>(warp), v, op, where); });
  constexpr unsigned lanes_of_tile = Way.tile;
  unsigned const rank = static_cast<unsigned>(thread_rank(b));
  if (rank % lanes_of_tile == 0) put(partials + place_of(Way, words_of<T>, rank / lanes_of_tile), own);
}

template <class Policy, class Op, class T>
struct reduce_call;  // names the call at its barriers

// The fold of a block's values by a given way.
template <block_way Way, class Policy, class Dims, class T, class Op>
MUSTER_FN T reduced_by(block<Dims> b, meeting_place memory, T const& v, Op const& op, site where) {
  constexpr int most = partials_of(Way, most_threads<Dims>);
  auto const limit = [&] {
    if constexpr (Dims::is_static) return constant<most>{};
    else return num_warps(b).value();
  }();
  if constexpr (!Dims::is_static)
    if (limit == 1) return reduced<Policy>(ragged_warp(b), v, op, where);
  if constexpr (Way.by_every_warp) {
    std::uint32_t* const partials = memory.met_by_every_warp;
    backend::meet_block<reduce_call<Policy, Op, T>>(partials, 0, where);  // of an earlier call all have read
    meet<Way, Policy>(b, partials, v, op, where);
    backend::meet_block<reduce_call<Policy, Op, T>>(partials, 0, where);
    constexpr bool by_redux = Way.each == 1 && folds_by_redux<Policy, Op, T>();
    return in_own_warp(b, [&](auto warp) { return fold_partials<Way, most, by_redux>(warp, partials, limit, v, op, where); });
  } else {
    std::uint32_t* const partials = memory.met_by_one_warp;
    std::uint32_t* const result = memory.handed_out;
    auto const hand_out = [&](T const& total) {
      if (backend::lane() == 0) put(result, total);
    };
    if constexpr (Way.reads != block_reading::partials) {
      share_of_lane<Way, Dims, T, Op> share(b, partials);
      share.leave(b, v);
      backend::meet_block<reduce_call<Policy, Op, T>>(partials, 0, where);
      if (is_in_first_warp(b)) {
        share.read(b);
        hand_out(fold_share<Policy>(b, share, v, op, where));
      }
    } else {
      meet<Way, Policy>(b, partials, v, op, where);
      backend::meet_block<reduce_call<Policy, Op, T>>(partials, 0, where);
      if (is_in_first_warp(b)) hand_out(fold_in_first_warp<Way, Policy>(b, partials, limit, v, op, where));
    }
    backend::meet_block<reduce_call<Policy, Op, T>>(partials, 0, where);
    return get(result, v);
  }
}

// A policy that calls another library's block algorithms says so by a member has_own_block_storage, and brings a storage of its own.
template <class Policy, class Storage>
struct policy_folds_in_this_storage {
  static_assert(!requires { Policy::has_own_block_storage; },
                "muster: this policy calls another library's block algorithms, which need shared memory of their own; declare policy::cub_block_storage<T, Dims> or "
                "policy::cooperative_groups_block_storage<T, Dims> (policy/cub_block.hpp, policy/cooperative_groups_block.hpp)");
  static_assert(requires { Policy::has_own_block_storage; } || is_own_storage<Storage>,
                "muster: this storage belongs to another library's block algorithms; call with that policy, or declare muster::block_storage<T, Dims>");
  static constexpr bool value = true;
};

// What a policy does for a block with a storage: the library's own ways. A policy that calls another library specialises it for its storage.
template <class Policy, class Storage>
struct block_algorithms {
  static_assert(policy_folds_in_this_storage<Policy, Storage>::value);
};

template <class Policy, class Stored, class StoredDims>
struct block_algorithms<Policy, block_storage<Stored, StoredDims>> {
  static_assert(policy_folds_in_this_storage<Policy, block_storage<Stored, StoredDims>>::value);

  template <fold_purpose Purpose = fold_purpose::for_all, class Dims, class T, class Op>
  MUSTER_FN static T reduce(block<Dims> b, block_storage<Stored, StoredDims>& storage, T const& v, Op const& op, site where) {
    if constexpr (is_one_warp<Dims>) return reduced<Policy>(this_warp(b), v, op, where);
    else return reduced_by<reduce_way<Purpose, Policy, Op, T, Dims>, Policy>(b, storage_access::of(storage, where), v, op, where);
  }
};

}  // namespace detail

// Every thread gets v0·v1·..., the fold of the block's values, with the same bits in all of them: in thread order if the operator need not commute, otherwise in an order of
// the library's choice, the same in each run. T: any trivially copyable type but a pointer; the storage is block_storage<T, Dims>. Cost: two barriers, and ceil(log2 n) rounds
// of which some are shuffles and some are arithmetic on values read from shared memory (block_way.hpp). A block of one warp: reduce of its tile, no barrier.
template <detail::policy Policy, class Dims, detail::storage Storage, class T, class Op>
MUSTER_FN uniform<T, block<Dims>> reduce(Policy, block<Dims> b, Storage& storage, T v, Op op, site where = site::here()) {
  static_assert(detail::storage_fits_call<T, Dims, Storage>::value);
  T const result = detail::block_algorithms<Policy, Storage>::reduce(b, storage, v, op, where);
  detail::check_agreement_of_block<Policy, Op>(result, where);
  return detail::mint::make<uniform<T, block<Dims>>>(result);
}
template <class Dims, detail::storage Storage, class T, class Op>
MUSTER_FN uniform<T, block<Dims>> reduce(block<Dims> b, Storage& storage, T v, Op op, site where = site::here()) {
  return reduce(policy::automatic, b, storage, v, op, where);
}

// The same over N values a thread: thread r holds elements r·N to r·N + N - 1 of the block's sequence.
template <detail::policy Policy, class Dims, detail::storage Storage, class T, int N, class Op>
MUSTER_FN uniform<T, block<Dims>> reduce(Policy p, block<Dims> b, Storage& storage, T const (&values)[N], Op op, site where = site::here()) {
  return reduce(p, b, storage, detail::fold_own_total(values, op), op, where);
}
template <class Dims, detail::storage Storage, class T, int N, class Op>
MUSTER_FN uniform<T, block<Dims>> reduce(block<Dims> b, Storage& storage, T const (&values)[N], Op op, site where = site::here()) {
  return reduce(policy::automatic, b, storage, values, op, where);
}

MUSTER_END
