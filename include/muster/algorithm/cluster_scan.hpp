// inclusive_scan and exclusive_scan over a cluster of blocks. Every thread of the cluster must call the same function together, in no
// narrowed scope.
#pragma once

#include <muster/algorithm/block_scan.hpp>
#include <muster/algorithm/block_storage.hpp>
#include <muster/algorithm/block_way.hpp>
#include <muster/algorithm/cluster_storage.hpp>
#include <muster/algorithm/reduce.hpp>
#include <muster/algorithm/scan.hpp>
#include <muster/backend/blocks.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/cluster.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/placed_dims.hpp>
#include <muster/core/site.hpp>
#include <muster/policy/automatic.hpp>
#include <muster/policy/check.hpp>

MUSTER_BEGIN

namespace detail {

template <class Policy, class Scan, class Op, class T>
struct cluster_scan_call;  // names the call at its barriers

// Scan: what a block computes of its own values (block_scan.hpp: up_to_own, before_own). The last thread of each block tells its total to
// the blocks above.
template <class Policy, class Scan, class Dims, class Storage, class T, class Op>
MUSTER_FN T scanned_in_cluster(cluster<Dims> c, Storage& storage, T const& v, Op const& op, site where) {
  constexpr int blocks = blocks_of_cluster<Dims>;
  auto const own = own_block(c);
  int const rank = static_cast<int>(backend::block_rank_in_cluster());
  using call = cluster_scan_call<Policy, Scan, Op, T>;
  auto const meeting = exchange_in<call, T>(c, storage, static_cast<unsigned>(rank), 0, where);
  meeting.begin();
  T const scanned = block_scans<Policy, block_storage<T, plain_dims<Dims>>>::template scan<Scan>(
      own, cluster_storage_access::of_block(storage), v, op, where);
  meeting.wait_until_all_began();
  if (thread_rank(own) == plain(num_threads(own)) - 1)
    meeting.send(Scan::total(scanned, v, op), static_cast<unsigned>(rank), static_cast<unsigned>(rank) + 1, 1, blocks);
  meeting.wait_for_partials();
  T below = neutral_of<Op, T>();
MUSTER_UNROLL
  for (int i = 0; i < blocks - 1; ++i)
    if (i < rank) below = op(below, get(meeting.partials + i * words_of<T>, v));
  meeting.end();
  return rank == 0 ? scanned : op(below, scanned);
}

// What an exclusive scan gives: the operator's identity in the first thread.
template <class Op, class Dims, class T>
MUSTER_FN T with_identity(cluster<Dims> c, T const& below) {
  if constexpr (identity_changes_bits<Op, T>)
    return thread_rank(c) == 0 ? static_cast<T>(Op::template identity<T>()) : below;
  else
    return below;
}

}  // namespace detail

// Thread r gets v0·...·vr of the cluster, block after block. Op: a monoid, need not be commutative. T: any trivially copyable type but a
// pointer; the storage is cluster_storage<T, Cluster, Dims>. Cost: the block's scan, one exchange of the blocks' totals, and a fold of at
// most 15 of them.
template <detail::policy Policy, class Dims, detail::storage_of_cluster Storage, class T, class Op>
MUSTER_RESULT_FN T inclusive_scan(Policy, cluster<Dims> c, Storage& storage, T v, Op op, site where = site::here()) {
  static_assert(detail::cluster_storage_fits_call<T, Dims, Storage>::value);
  return detail::scanned_in_cluster<Policy, detail::up_to_own>(c, storage, v, op, where);
}
template <class Dims, detail::storage_of_cluster Storage, class T, class Op>
MUSTER_RESULT_FN T inclusive_scan(cluster<Dims> c, Storage& storage, T v, Op op, site where = site::here()) {
  return inclusive_scan(policy::automatic, c, storage, v, op, where);
}

// Thread r gets v0·...·v(r-1) of the cluster, thread 0 the operator's identity. Cost: as inclusive_scan.
template <detail::policy Policy, class Dims, detail::storage_of_cluster Storage, class T, class Op>
MUSTER_RESULT_FN T exclusive_scan(Policy, cluster<Dims> c, Storage& storage, T v, Op op, site where = site::here()) {
  static_assert(detail::cluster_storage_fits_call<T, Dims, Storage>::value);
  return detail::with_identity<Op>(c, detail::scanned_in_cluster<Policy, detail::before_own>(c, storage, v, op, where));
}
template <class Dims, detail::storage_of_cluster Storage, class T, class Op>
MUSTER_RESULT_FN T exclusive_scan(cluster<Dims> c, Storage& storage, T v, Op op, site where = site::here()) {
  return exclusive_scan(policy::automatic, c, storage, v, op, where);
}

// The same over N values a thread, in place: thread r holds elements r·N to r·N + N - 1 of the cluster's sequence.
template <detail::policy Policy, class Dims, detail::storage_of_cluster Storage, class T, int N, class Op>
MUSTER_FN void inclusive_scan(Policy, cluster<Dims> c, Storage& storage, T (&values)[N], Op op, site where = site::here()) {
  static_assert(detail::cluster_storage_fits_call<T, Dims, Storage>::value);
  T before = detail::scanned_in_cluster<Policy, detail::before_own>(c, storage, detail::fold_own(values, op), op, where);
MUSTER_UNROLL
  for (int i = 0; i < N; ++i) {
    before = op(before, values[i]);
    values[i] = before;
  }
}
template <class Dims, detail::storage_of_cluster Storage, class T, int N, class Op>
MUSTER_FN void inclusive_scan(cluster<Dims> c, Storage& storage, T (&values)[N], Op op, site where = site::here()) {
  inclusive_scan(policy::automatic, c, storage, values, op, where);
}
template <detail::policy Policy, class Dims, detail::storage_of_cluster Storage, class T, int N, class Op>
MUSTER_FN void exclusive_scan(Policy, cluster<Dims> c, Storage& storage, T (&values)[N], Op op, site where = site::here()) {
  static_assert(detail::cluster_storage_fits_call<T, Dims, Storage>::value);
  T before = detail::scanned_in_cluster<Policy, detail::before_own>(c, storage, detail::fold_own(values, op), op, where);
MUSTER_UNROLL
  for (int i = 0; i < N; ++i) {
    T const own = values[i];
    values[i] = i == 0 ? detail::with_identity<Op>(c, before) : before;
    before = op(before, own);
  }
}
template <class Dims, detail::storage_of_cluster Storage, class T, int N, class Op>
MUSTER_FN void exclusive_scan(cluster<Dims> c, Storage& storage, T (&values)[N], Op op, site where = site::here()) {
  exclusive_scan(policy::automatic, c, storage, values, op, where);
}

MUSTER_END
