// broadcast over a cluster of blocks. Every thread of the cluster must call it together, in no narrowed scope.
#pragma once

#include <muster/algorithm/block_storage.hpp>
#include <muster/algorithm/cluster_storage.hpp>
#include <muster/backend/check.hpp>
#include <muster/config.hpp>
#include <muster/core/cluster.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/uniform_conversions.hpp>
#include <muster/core/value_traits.hpp>

MUSTER_BEGIN

namespace detail {

template <int Asked, int Threads>
struct thread_exists_in_cluster {
  static_assert(Asked >= 0 && Asked < Threads,
                "muster::broadcast<Rank>(cluster, storage, v), reduce_to<Rank>, only_rank<Rank>: the cluster has no thread of this rank (of "
                "blocks whose shape is known at run time, only rank 0 is certain)");
  static constexpr bool value = true;
};

template <class T>
struct cluster_broadcast_call;  // names the call at its barriers

}  // namespace detail

// Every thread gets what the thread of rank `rank` in the cluster passed in; rank is the same in every thread. 0 <= rank <
// num_threads(cluster): the emulator and checked builds report others, elsewhere they are undefined. T: any trivially copyable type, a
// pointer too; the storage is cluster_storage<T, Cluster, Dims>. Cost: a barrier of the cluster, a store into each block's shared memory by
// that one thread, a load, a barrier of the block.
template <class Dims, detail::storage_of_cluster Storage, class T>
MUSTER_FN uniform<T, cluster<Dims>> broadcast(cluster<Dims> c, Storage& storage, T v, int rank, site where = site::here()) {
  static_assert(detail::value_or_pointer_can_travel<T>::value && detail::cluster_storage_fits_call<T, Dims, Storage>::value);
  if (!backend::check_rank(rank, detail::plain(num_threads(c)), where)) rank = 0;
  auto const meeting = detail::exchange_in<detail::cluster_broadcast_call<T>, T>(c, storage, 1, rank, where);
  meeting.begin();
  meeting.wait_until_all_began();
  if (thread_rank(c) == rank) meeting.send(v, 0, 0, 1, detail::blocks_of_cluster<Dims>);
  meeting.wait_for_partials();
  T const told = detail::get(meeting.partials, v);
  meeting.end();
  return detail::mint::make<uniform<T, cluster<Dims>>>(told);
}

// The same from a rank that the type names: one that the cluster does not have does not compile. Rank 0 exists in every cluster, others where
// the blocks' shape is known.
template <int Rank, class Dims, detail::storage_of_cluster Storage, class T>
MUSTER_FN uniform<T, cluster<Dims>> broadcast(cluster<Dims> c, Storage& storage, T v, site where = site::here()) {
  constexpr int certain_threads = Dims::is_static ? detail::blocks_of_cluster<Dims> * Dims::count : 1;
  static_assert(detail::thread_exists_in_cluster<Rank, certain_threads>::value);
  return broadcast(c, storage, v, Rank, where);
}

MUSTER_END
