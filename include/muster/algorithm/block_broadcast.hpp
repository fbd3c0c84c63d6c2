// broadcast over a whole block. Every thread must call it together, in no narrowed scope.
#pragma once

#include <type_traits>

#include <muster/algorithm/block_storage.hpp>
#include <muster/algorithm/block_way.hpp>
#include <muster/backend/check.hpp>
#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/shuffle_mode.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/value_traits.hpp>
#include <muster/core/warp.hpp>
#include <muster/primitive/run_ranks.hpp>

MUSTER_BEGIN

namespace detail {

template <int Asked, int Threads>
struct thread_exists_in_block {
  static_assert(Asked >= 0 && Asked < Threads,
                "muster::broadcast<Rank>(block, storage, v): the block has no thread of this rank (of a block whose shape is known at run time, only rank 0 is certain)");
  static constexpr bool value = true;
};

template <class T>
struct broadcast_call;  // names the call at its barriers

}  // namespace detail

// Every thread gets what the thread of rank `rank` passed in; rank is the same in every thread. 0 <= rank < num_threads(block): the emulator and checked builds report others,
// elsewhere they are undefined. T: any trivially copyable type, a pointer too; the storage is block_storage<T, Dims>. Cost: two barriers, one store and one load. A block of one warp: one
// shfl a word, no barrier.
template <class Dims, detail::storage Storage, class T>
MUSTER_FN uniform<T, block<Dims>> broadcast(block<Dims> b, [[maybe_unused]] Storage& storage, T v, int rank, site where = site::here()) {
  static_assert(detail::value_or_pointer_can_travel<T>::value && detail::storage_fits_call<T, Dims, Storage>::value);
  if (!backend::check_rank(rank, static_cast<int>(num_threads(b)), where)) rank = 0;
  if constexpr (detail::is_one_warp<Dims>) {
    auto const mask = this_warp(b).all_members().bits;
    backend::check_uniform(mask, warp_size, rank, where);
    return detail::mint::make<uniform<T, block<Dims>>>(backend::shuffle<shuffle_mode::idx>(mask, v, static_cast<unsigned>(rank), detail::whole_warp, where));
  } else {
    auto* const cell = detail::storage_access::of(storage, where).met_by_every_warp;
    backend::meet_block<detail::broadcast_call<T>>(cell, rank, where);  // of an earlier call all have read
    if (thread_rank(b) == rank) detail::put(cell, v);
    backend::meet_block<detail::broadcast_call<T>>(cell, rank, where);
    return detail::mint::make<uniform<T, block<Dims>>>(detail::get(cell, v));
  }
}

// The same from a rank that the type names. Rank 0 exists in every block, others where the block's shape is known.
template <int Rank, class Dims, detail::storage Storage, class T>
MUSTER_FN uniform<T, block<Dims>> broadcast(block<Dims> b, Storage& storage, T v, site where = site::here()) {
  static_assert(detail::thread_exists_in_block<Rank, Dims::is_static ? Dims::count : 1>::value);
  return broadcast(b, storage, v, Rank, where);
}

MUSTER_END
