// reduce over a cluster of blocks. Every thread of the cluster must call it together, in no narrowed scope.
#pragma once

#include <cstdint>

#include <muster/algorithm/agreement.hpp>
#include <muster/algorithm/block_fold.hpp>
#include <muster/algorithm/block_reduce.hpp>
#include <muster/algorithm/block_way.hpp>
#include <muster/algorithm/cluster_storage.hpp>
#include <muster/algorithm/reduce.hpp>
#include <muster/backend/blocks.hpp>
#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/cluster.hpp>
#include <muster/core/constant.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/placed_dims.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/warp.hpp>
#include <muster/policy/automatic.hpp>
#include <muster/policy/check.hpp>

MUSTER_BEGIN

namespace detail {

template <class Policy, class Op, class T>
struct cluster_reduce_call;  // names the call at its barriers

// The fold of Count partials that lie one after the other, by each thread for itself, as a balanced tree.
template <int Count, class T, class Op>
MUSTER_FN T fold_all(std::uint32_t const* partials, T const& like, Op const& op) {
  constexpr int padded = power_of_two_from(Count), words = words_of<T>;
  read_partials<T, Op, padded, constant<Count>> read{{}, {}, like, op};
MUSTER_UNROLL
  for (int i = 0; i < Count * words; ++i) read.word[i] = partials[i];
  return read.template fold<0, padded>();
}

// The block's fold, and send(fold, sender, senders) by its first warp, or by all its threads where the first warp is not whole: the caller's
// number among those who send, and how many they are. As a block's reduce, but what the first warp has goes to other blocks, and the wait
// until all blocks have begun is hidden.
template <class Call, class Policy, class Exchange, class Dims, class Storage, class T, class Op, class Send>
MUSTER_FN void fold_block_and_send(cluster<Dims> c, Exchange const& meeting, Storage& storage, T const& v, Op const& op, site where,
                                   Send const& send) {
  auto const own = own_block(c);
  auto& of_block = cluster_storage_access::of_block(storage);
  if constexpr (first_warp_folds<Dims>) {
    constexpr block_way way = reduce_way<fold_purpose::step, Policy, Op, T, Dims>;
    meeting_place const memory = storage_access::of(of_block, where);
    std::uint32_t* const partials = way.by_every_warp ? memory.met_by_every_warp : memory.met_by_one_warp;
    meet<way, Policy>(own, partials, v, op, where);
    backend::meet_block<Call>(partials, 0, where);
    meeting.wait_until_all_began();
    if (warp_rank(own) == 0) {
      T const partial = fold_in_first_warp<way, Policy>(own, partials, constant<partials_of(way, Dims::count)>{}, v, op, where);
      send(partial, static_cast<unsigned>(backend::lane()), static_cast<unsigned>(warp_size));
    }
  } else {
    T const partial = block_algorithms<Policy, block_storage<T, plain_dims<Dims>>>::reduce(own, of_block, v, op, where);
    meeting.wait_until_all_began();
    send(partial, static_cast<unsigned>(thread_rank(own)), static_cast<unsigned>(plain(num_threads(own))));
  }
}

template <class Policy, class Dims, class Storage, class T, class Op>
MUSTER_FN T reduced_in_cluster(cluster<Dims> c, Storage& storage, T const& v, Op const& op, site where) {
  constexpr int blocks = blocks_of_cluster<Dims>;
  using call = cluster_reduce_call<Policy, Op, T>;
  auto const meeting = exchange_in<call, T>(c, storage, blocks, 0, where);
  meeting.begin();
  fold_block_and_send<call, Policy>(c, meeting, storage, v, op, where, [&](T const& partial, unsigned sender, unsigned senders) {
    meeting.send(partial, backend::block_rank_in_cluster(), sender, senders, blocks);
  });
  meeting.wait_for_partials();
  T const total = fold_all<blocks>(meeting.partials, v, op);
  meeting.end();
  return total;
}

}  // namespace detail

// Every thread gets v0·v1·..., the fold of the cluster's values in thread order, block after block, with the same bits in all of them. Op:
// a monoid, need not be commutative. T: any trivially copyable type but a pointer; the storage is cluster_storage<T, Cluster, Dims>. Cost:
// the block's fold in its first warp, which hides a barrier of the cluster, a store into each block's shared memory, a fold of at most 16
// partials in each thread, and a barrier of the block.
template <detail::policy Policy, class Dims, detail::storage_of_cluster Storage, class T, class Op>
MUSTER_FN uniform<T, cluster<Dims>> reduce(Policy, cluster<Dims> c, Storage& storage, T v, Op op, site where = site::here()) {
  static_assert(detail::cluster_storage_fits_call<T, Dims, Storage>::value);
  T const result = detail::reduced_in_cluster<Policy>(c, storage, v, op, where);
  detail::check_agreement_of_cluster<Policy, Op>(result, where);
  return detail::mint::make<uniform<T, cluster<Dims>>>(result);
}
template <class Dims, detail::storage_of_cluster Storage, class T, class Op>
MUSTER_FN uniform<T, cluster<Dims>> reduce(cluster<Dims> c, Storage& storage, T v, Op op, site where = site::here()) {
  return reduce(policy::automatic, c, storage, v, op, where);
}

// The same over N values a thread: thread r holds elements r·N to r·N + N - 1 of the cluster's sequence.
template <detail::policy Policy, class Dims, detail::storage_of_cluster Storage, class T, int N, class Op>
MUSTER_FN uniform<T, cluster<Dims>> reduce(Policy p, cluster<Dims> c, Storage& storage, T const (&values)[N], Op op,
                                           site where = site::here()) {
  return reduce(p, c, storage, detail::fold_own_total(values, op), op, where);
}
template <class Dims, detail::storage_of_cluster Storage, class T, int N, class Op>
MUSTER_FN uniform<T, cluster<Dims>> reduce(cluster<Dims> c, Storage& storage, T const (&values)[N], Op op, site where = site::here()) {
  return reduce(policy::automatic, c, storage, values, op, where);
}

MUSTER_END
