// reduce_to over a cluster of blocks: the fold in one thread, and how to get at it there. Every thread of the cluster must call these
// together.
#pragma once

#include <muster/algorithm/block_storage.hpp>
#include <muster/algorithm/cluster_broadcast.hpp>
#include <muster/algorithm/cluster_reduce.hpp>
#include <muster/algorithm/cluster_storage.hpp>
#include <muster/algorithm/reduce.hpp>
#include <muster/backend/blocks.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/cluster.hpp>
#include <muster/core/held_by.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/narrowing_kind.hpp>
#include <muster/core/roll_call.hpp>
#include <muster/core/scope.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/uniform_conversions.hpp>
#include <muster/core/warp.hpp>
#include <muster/core/with.hpp>
#include <muster/policy/automatic.hpp>
#include <muster/policy/check.hpp>

MUSTER_BEGIN

namespace detail {

template <class Policy, class Op, class T>
struct cluster_reduce_to_call;  // names the call at its barriers

// Of a cluster whose blocks have a shape known at run time only rank 0 is certain, which is in the first block.
template <class Dims>
inline constexpr int certain_threads_of_cluster = Dims::is_static ? blocks_of_cluster<Dims> * Dims::count : 1;

// The block in which a thread of the cluster is, and its rank there.
template <int Rank, class Dims>
struct place_in_cluster {
  static constexpr int threads = Dims::is_static ? Dims::count : 1024;
  static constexpr unsigned block = Rank / threads;
  static constexpr int rank = Rank % threads;
};

// The blocks' partials come to one block only, and one warp of it reads them.
template <int Rank, class Policy, class Dims, class Storage, class T, class Op>
MUSTER_FN T reduced_to_thread_of_cluster(cluster<Dims> c, Storage& storage, T const& v, Op const& op, site where) {
  using holder = place_in_cluster<Rank, Dims>;
  constexpr unsigned blocks = blocks_of_cluster<Dims>;
  using call = cluster_reduce_to_call<Policy, Op, T>;
  unsigned const rank = backend::block_rank_in_cluster();
  bool const is_there = rank == holder::block;
  auto const meeting = exchange_in<call, T>(c, storage, blocks, Rank, where, is_there);
  meeting.begin();
  fold_block_and_send<call, Policy>(c, meeting, storage, v, op, where, [&](T const& partial, unsigned sender, unsigned) {
    meeting.send(partial, rank, sender == 0 ? holder::block : blocks, blocks, blocks);
  });
  bool const reads = is_there && warp_rank(own_block(c)) == holder::rank / warp_size;
  meeting.wait_for_partials_if(reads);
  T total = v;
  if (reads) total = fold_all<static_cast<int>(blocks)>(meeting.partials, v, op);
  meeting.end();
  return total;
}

}  // namespace detail

// Thread Rank of the cluster gets the fold of the cluster's values in thread order, block after block, and it alone: the result is
// held_by<Rank>, which no other thread can read. only_rank<Rank>(cluster, with(held), body) opens it there, broadcast(cluster, storage, held)
// gives it to all. Rank 0 exists in every cluster, others where the blocks' shape is known. Cost: as reduce, but each block sends its partial
// to one other, and the blocks that do not hold the result go on when they have sent.
template <int Rank, detail::policy Policy, class Dims, detail::storage_of_cluster Storage, class T, class Op>
MUSTER_FN held_by<Rank, T, cluster<Dims>> reduce_to(Policy, cluster<Dims> c, Storage& storage, T v, Op op, site where = site::here()) {
  static_assert(detail::cluster_storage_fits_call<T, Dims, Storage>::value &&
                detail::thread_exists_in_cluster<Rank, detail::certain_threads_of_cluster<Dims>>::value);
  T total = detail::reduced_to_thread_of_cluster<Rank, Policy>(c, storage, v, op, where);
#if !MUSTER_ON_DEVICE
  if (thread_rank(c) != Rank) detail::forget(total);
#endif
  return detail::mint::make<held_by<Rank, T, cluster<Dims>>>(total, this_warp(detail::own_block(c)).all_members());
}
template <int Rank, class Dims, detail::storage_of_cluster Storage, class T, class Op>
MUSTER_FN held_by<Rank, T, cluster<Dims>> reduce_to(cluster<Dims> c, Storage& storage, T v, Op op, site where = site::here()) {
  return reduce_to<Rank>(policy::automatic, c, storage, v, op, where);
}
template <int Rank, detail::policy Policy, class Dims, detail::storage_of_cluster Storage, class T, int N, class Op>
MUSTER_FN held_by<Rank, T, cluster<Dims>> reduce_to(Policy p, cluster<Dims> c, Storage& storage, T const (&values)[N], Op op,
                                                    site where = site::here()) {
  return reduce_to<Rank>(p, c, storage, detail::fold_own_total(values, op), op, where);
}
template <int Rank, class Dims, detail::storage_of_cluster Storage, class T, int N, class Op>
MUSTER_FN held_by<Rank, T, cluster<Dims>> reduce_to(cluster<Dims> c, Storage& storage, T const (&values)[N], Op op,
                                                    site where = site::here()) {
  return reduce_to<Rank>(policy::automatic, c, storage, values, op, where);
}

// Every thread gets what one holds. Cost: as broadcast from that rank.
template <int Rank, class T, class Dims, detail::storage_of_cluster Storage>
MUSTER_FN uniform<T, cluster<Dims>> broadcast(cluster<Dims> c, Storage& storage, held_by<Rank, T, cluster<Dims>> held,
                                              site where = site::here()) {
  detail::holder_access::birth_of(held).check(this_warp(detail::own_block(c)).all_members(), where);
  return broadcast(c, storage, detail::holder_access::of(held), Rank, where);
}

// body(lane, state...) in thread Rank of the cluster. A held_by<Rank> of this cluster among the state reaches the body as its value. The token
// is that thread's, a tile of one lane. Every thread of the cluster must reach it; the emulator looks for those of its block. Cost: two
// comparisons.
template <int Rank, class Dims, class... Ts, detail::body Body>
MUSTER_FN void only_rank(cluster<Dims> c, detail::state_list<Ts...> state, Body const& body, site where = site::here()) {
  static_assert(detail::thread_exists_in_cluster<Rank, detail::certain_threads_of_cluster<Dims>>::value);
  using holder = detail::place_in_cluster<Rank, Dims>;
  auto const own = detail::own_block(c);
  if (backend::block_rank_in_cluster() != holder::block) return;  // here the roll knows of nobody to hand on to
  detail::call_roll_of_block(narrowing_kind::only_rank, holder::rank, where);
  if (thread_rank(own) != holder::rank) return;
  constexpr lane_set chosen = lane_set::single(holder::rank % warp_size);
  detail::open_held<Rank, cluster<Dims>> const map(this_warp(own).all_members(), where);
  detail::enter(detail::mint::make<tile<warp_size, lanes<chosen>>>(chosen), body, state, where, map);
}
template <int Rank, class Dims, detail::body Body>
MUSTER_FN void only_rank(cluster<Dims> c, Body const& body, site where = site::here()) {
  only_rank<Rank>(c, with(), body, where);
}

MUSTER_END
