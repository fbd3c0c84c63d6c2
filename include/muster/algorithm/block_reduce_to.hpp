// reduce_to over a whole block: the fold in one thread, and how to get at it there. Every thread must call these together.
#pragma once

#include <cstdint>
#include <type_traits>

#include <muster/algorithm/block_broadcast.hpp>
#include <muster/algorithm/block_fold.hpp>
#include <muster/algorithm/block_reduce.hpp>
#include <muster/algorithm/block_storage.hpp>
#include <muster/algorithm/block_way.hpp>
#include <muster/algorithm/reduce.hpp>
#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/held_by.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/narrowing_kind.hpp>
#include <muster/core/roll_call.hpp>
#include <muster/core/scope.hpp>
#include <muster/core/site.hpp>
#include <muster/core/warp.hpp>
#include <muster/policy/automatic.hpp>
#include <muster/policy/check.hpp>

MUSTER_BEGIN

namespace detail {

template <class Policy, class Op, class T>
struct reduce_to_call;  // names the call at its barriers

// Only the first warp reads the partials; the others wait until it has. For ways by which one warp finishes.
template <block_way Way, class Policy, class Dims, class T, class Op>
MUSTER_FN T reduced_in_first_warp(block<Dims> b, meeting_place memory, T const& v, Op const& op, site where) {
  using call = reduce_to_call<Policy, Op, T>;
  std::uint32_t* const partials = memory.met_by_one_warp;
  T result = v;
  if constexpr (Way.reads != block_reading::partials) {
    share_of_lane<Way, Dims, T, Op> share(b, partials);
    share.leave(b, v);
    backend::meet_block<call>(partials, 0, where);
    if constexpr (Way.lets_go_early) {
      // The conditions as they were fastest on an H200: before a redux.sync none that ptxas would put on it, since it takes its time in warps that it does not concern, and
      // before shuffles a branch around the reads, for the same reason.
      constexpr bool by_redux = folds_by_redux<Policy, Op, T>();
      static_assert(by_redux || share.readers == warp_size);  // else part of a warp would wait for all of it
      if (share.readers == warp_size ? warp_rank(b) == 0 : thread_rank(b) < share.readers) {
        share.read(b);
        if constexpr (!by_redux) backend::keep_branch();
      }
      backend::meet_block<call>(partials, 0, where);  // the next call may write
      bool const is_first = by_redux ? backend::asked_anew(warp_rank(b)) == 0 : is_in_first_warp(b);
      if (is_first) result = fold_share<Policy>(b, share, v, op, where);
    } else {
      if (is_in_first_warp(b)) {
        static_assert(share.readers == warp_size);
        share.read(b);
        result = fold_share<Policy>(b, share, v, op, where);
      }
      backend::meet_block<call>(partials, 0, where);
    }
  } else {
    meet<Way, Policy>(b, partials, v, op, where);
    backend::meet_block<call>(partials, 0, where);
    if (is_in_first_warp(b)) result = fold_in_first_warp<Way, Policy>(b, partials, constant<partials_of(Way, most_threads<Dims>)>{}, v, op, where);
    backend::meet_block<call>(partials, 0, where);
  }
  return result;
}

// A value that one thread holds: in the others undefined, on the emulator poison. Its scope is known by the caller's warp.
template <int Rank, class Dims, class T>
MUSTER_FN held_by<Rank, T, block<Dims>> hold(block<Dims> b, T value) {
#if !MUSTER_ON_DEVICE
  if (thread_rank(b) != Rank) forget(value);
#endif
  return mint::make<held_by<Rank, T, block<Dims>>>(value, this_warp(b).all_members());
}

}  // namespace detail

// Thread Rank gets the fold of the block's values, as reduce gives it but for rounding, and it alone: of a commutative operator the order may be another than reduce's, the same
// in every run. The result is held_by<Rank>, which no other thread can read. only_rank<Rank>(block, with(held), body) opens it there, broadcast(block, storage, held) gives it
// to all. Rank 0 exists in every block, others where the block's shape is known. Cost: for a thread of the first
// warp that of reduce without handing the result out, where one warp has it; otherwise that of reduce.
template <int Rank, detail::policy Policy, class Dims, detail::storage Storage, class T, class Op>
MUSTER_FN held_by<Rank, T, block<Dims>> reduce_to(Policy, block<Dims> b, Storage& storage, T v, Op op, site where = site::here()) {
  static_assert(detail::storage_fits_call<T, Dims, Storage>::value && detail::thread_exists_in_block<Rank, Dims::is_static ? Dims::count : 1>::value);
  constexpr detail::block_way way = detail::reduce_way<detail::fold_purpose::for_one, Policy, Op, T, Dims>;
  if constexpr (Rank < warp_size && Dims::is_static && !detail::is_one_warp<Dims> && !way.by_every_warp && detail::is_own_storage<Storage>) {
    static_assert(detail::policy_folds_in_this_storage<Policy, Storage>::value);
    return detail::hold<Rank>(b, detail::reduced_in_first_warp<way, Policy>(b, detail::storage_access::of(storage, where), v, op, where));
  } else {
    return detail::hold<Rank>(b, detail::block_algorithms<Policy, Storage>::reduce(b, storage, v, op, where));
  }
}
template <int Rank, class Dims, detail::storage Storage, class T, class Op>
MUSTER_FN held_by<Rank, T, block<Dims>> reduce_to(block<Dims> b, Storage& storage, T v, Op op, site where = site::here()) {
  return reduce_to<Rank>(policy::automatic, b, storage, v, op, where);
}
template <int Rank, detail::policy Policy, class Dims, detail::storage Storage, class T, int N, class Op>
MUSTER_FN held_by<Rank, T, block<Dims>> reduce_to(Policy p, block<Dims> b, Storage& storage, T const (&values)[N], Op op, site where = site::here()) {
  return reduce_to<Rank>(p, b, storage, detail::fold_own_total(values, op), op, where);
}
template <int Rank, class Dims, detail::storage Storage, class T, int N, class Op>
MUSTER_FN held_by<Rank, T, block<Dims>> reduce_to(block<Dims> b, Storage& storage, T const (&values)[N], Op op, site where = site::here()) {
  return reduce_to<Rank>(policy::automatic, b, storage, values, op, where);
}

// Every thread gets what one holds. Cost: as broadcast from that rank.
template <int Rank, class T, class Dims, detail::storage Storage>
MUSTER_FN uniform<T, block<Dims>> broadcast(block<Dims> b, Storage& storage, held_by<Rank, T, block<Dims>> held, site where = site::here()) {
  detail::holder_access::birth_of(held).check(this_warp(b).all_members(), where);
  return broadcast(b, storage, detail::holder_access::of(held), Rank, where);
}

// body(lane, state...) in thread Rank of the block. A held_by<Rank> of this block among the state reaches the body as its value. The token is that thread's, a tile of one
// lane. Every thread of the block must reach it. Cost: a comparison.
template <int Rank, class Dims, class... Ts, detail::body Body>
MUSTER_FN void only_rank(block<Dims> b, detail::state_list<Ts...> state, Body const& body, site where = site::here()) {
  static_assert(detail::thread_exists_in_block<Rank, Dims::is_static ? Dims::count : 1>::value);
  detail::call_roll_of_block(narrowing_kind::only_rank, Rank, where);
  if (thread_rank(b) != Rank) return;
  constexpr lane_set chosen = lane_set::single(Rank % warp_size);
  detail::open_held<Rank, block<Dims>> const map(this_warp(b).all_members(), where);
  detail::enter(detail::mint::make<tile<warp_size, lanes<chosen>>>(chosen), body, state, where, map);
}
template <int Rank, class Dims, detail::body Body>
MUSTER_FN void only_rank(block<Dims> b, Body const& body, site where = site::here()) {
  only_rank<Rank>(b, with(), body, where);
}

MUSTER_END
