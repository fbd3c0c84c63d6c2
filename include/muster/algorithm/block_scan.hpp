// inclusive_scan and exclusive_scan over a whole block. Every thread must call the same function together, in no narrowed scope.
#pragma once

#include <cstdint>

#include <muster/algorithm/block_fold.hpp>
#include <muster/algorithm/block_prefix.hpp>
#include <muster/algorithm/block_reduce.hpp>
#include <muster/algorithm/block_storage.hpp>
#include <muster/algorithm/block_way.hpp>
#include <muster/algorithm/scan.hpp>
#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/warp.hpp>
#include <muster/policy/automatic.hpp>
#include <muster/policy/check.hpp>
#include <muster/policy/shuffle.hpp>

MUSTER_BEGIN

namespace detail {

template <class Policy, class Scan, class Op, class T>
struct scan_call;  // names the call at its barriers

// The fold of all before the caller's tile and of what it has scanned there. is_holder: one lane of each tile, which has the tile's total; scanned: what gives the caller's own
// scan, asked for after the meeting. Here by every warp for itself.
template <block_way Way, bool ByRedux, class Call, class Dims, class T, class Op, class Scanned>
MUSTER_FN T scanned_onto_warps_below(block<Dims> b, std::uint32_t* totals, bool is_holder, T const& total, Op const& op, Scanned const& scanned, site where) {
  int const warp = warp_rank(b);
  if (is_holder) put(totals + warp * words_of<T>, total);
  backend::meet_block<Call>(totals, 0, where);
  if constexpr (Way.each == 1) {
    T const below = in_own_warp(b, [&](auto own) { return fold_partials<Way, most_warps<Dims>, ByRedux>(own, totals, warp, total, op, where); });
    return op(below, scanned());
  } else {
    T const below = fold_first<Way.each>(totals, warp, total, op);
    return op(below, scanned());
  }
}

// And by the first warp, which hands to each tile the fold of those before it.
template <block_way Way, class Call, class Dims, class T, class Op, class Scanned>
MUSTER_FN T scanned_onto_tiles_below(block<Dims> b, std::uint32_t* totals, std::uint32_t* prefixes, bool is_holder, T const& total, Op const& op, Scanned const& scanned,
                                     site where) {
  constexpr unsigned lanes_of_tile = Way.tile;
  constexpr int tiles = partials_of(Way, most_threads<Dims>);
  unsigned const place = place_of(Way, words_of<T>, static_cast<unsigned>(thread_rank(b)) / lanes_of_tile);
  std::uint32_t* const own_stretch = backend::kept_address(totals + stretch_of_lane<Way, tiles>() * stride_of(Way, words_of<T>));
  if (is_holder) put(totals + place, total);
  backend::meet_block<Call>(totals, 0, where);
  if (warp_rank(b) == 0) {
    int const lane = backend::lane();
    auto const first = mint::make<tile<warp_size>>(all_lanes);
    if constexpr (Way.tile < warp_size || Way.each > 1) {
      prefix_partials<Way, tiles>(first, own_stretch, own_stretch + (prefixes - totals), total, op, where);
    } else {
      bool const is_there = lane < static_cast<int>(num_warps(b));
      unsigned const place_of_lane = place_of(Way, words_of<T>, static_cast<unsigned>(lane));
      T const mine = is_there ? get(totals + place_of_lane, total) : neutral_of<Op, T>();
      T const before = folded_below<policy::shuffle_policy>(tiled_partition<power_of_two_from(most_warps<Dims>)>(first), mine, op, where);
      if (is_there) put(prefixes + place_of_lane, before);
    }
  }
  T const own = scanned();
  backend::meet_block<Call>(totals, 0, where);
  return op(get(prefixes + place, total), own);
}

// Whether the caller has the total of its tile after a scan: the last lane that the tile has.
template <block_way Way, class Dims>
MUSTER_FN bool is_last_of_tile(block<Dims> b) {
  constexpr unsigned lanes_of_tile = Way.tile;
  bool const is_last_lane = static_cast<unsigned>(backend::lane()) % lanes_of_tile == lanes_of_tile - 1;
  if constexpr (Dims::is_static && Dims::count % Way.tile == 0) return is_last_lane;
  else return is_last_lane || thread_rank(b) == static_cast<int>(num_threads(b)) - 1;
}

// Scan: what a tile computes of its own values, of<Policy>(tile, v, op, where), and then its total, total(scanned, v, op) in the last lane.
// Where the hardware folds a warp sooner than it scans one, the total goes ahead, and the scan is done while others are waited for.
template <block_way Way, class Policy, class Scan, class Dims, class T, class Op>
MUSTER_FN T scanned_by(block<Dims> b, meeting_place memory, T const& v, Op const& op, site where) {
  using call = scan_call<Policy, Scan, Op, T>;
  constexpr bool total_goes_ahead = Way.each == 1 && Way.tile == warp_size && folds_by_redux<Policy, Op, T>();
  auto const scan = [&] {
    return in_own_warp(b, [&](auto warp) { return Scan::template of<Policy>(tiled_partition<Way.tile>(warp), v, op, where); });
  };
  if constexpr (!Dims::is_static)
    if (num_warps(b).value() == 1) return Scan::template of<Policy>(ragged_warp(b), v, op, where);
  if constexpr (Way.by_every_warp) backend::meet_block<call>(memory.met_by_every_warp, 0, where);  // of an earlier call all have read
  auto const below = [&](bool is_holder, T const& total, auto const& scanned) {
    if constexpr (Way.by_every_warp)
      return scanned_onto_warps_below<Way, total_goes_ahead, call>(b, memory.met_by_every_warp, is_holder, total, op, scanned, where);
    else
      return scanned_onto_tiles_below<Way, call>(b, memory.met_by_one_warp, memory.handed_out, is_holder, total, op, scanned, where);
  };
  if constexpr (total_goes_ahead) {
    T const total = in_own_warp(b, [&](auto warp) { return reduced<Policy>(warp, v, op, where); });
    return below(backend::lane() == 0, total, scan);
  } else {
    T const scanned = scan();
    return below(is_last_of_tile<Way>(b), Scan::total(scanned, v, op), [&] { return scanned; });
  }
}

// The fold of all values up to one's own, and of those before it, neutral in the first thread.
struct up_to_own {
  template <class Policy, class Group, class T, class Op>
  MUSTER_FN static T of(Group warp, T const& v, Op const& op, site where) {
    return scanned_inclusive<Policy>(warp, v, op, where);
  }
  template <class T, class Op>
  MUSTER_FN static T total(T const& scanned, T const&, Op const&) {
    return scanned;
  }
};
struct before_own {
  template <class Policy, class Group, class T, class Op>
  MUSTER_FN static T of(Group warp, T const& v, Op const& op, site where) {
    return folded_below<Policy>(warp, v, op, where);
  }
  template <class T, class Op>
  MUSTER_FN static T total(T const& scanned, T const& v, Op const& op) {
    return op(scanned, v);
  }
};

// The scans' part of block_algorithms.
template <class Policy, class Storage>
struct block_scans {
  static_assert(policy_folds_in_this_storage<Policy, Storage>::value);
};
template <class Policy, class Stored, class StoredDims>
struct block_scans<Policy, block_storage<Stored, StoredDims>> {
  static_assert(policy_folds_in_this_storage<Policy, block_storage<Stored, StoredDims>>::value);

  template <class Scan, class Dims, class T, class Op>
  MUSTER_FN static T scan(block<Dims> b, block_storage<Stored, StoredDims>& storage, T const& v, Op const& op, site where) {
    if constexpr (is_one_warp<Dims>) return Scan::template of<Policy>(this_warp(b), v, op, where);
    else return scanned_by<scan_way<Policy, Op, T, Dims>, Policy, Scan>(b, storage_access::of(storage, where), v, op, where);
  }
  template <class Dims, class T, class Op>
  MUSTER_FN static T inclusive(block<Dims> b, block_storage<Stored, StoredDims>& storage, T const& v, Op const& op, site where) {
    return scan<up_to_own>(b, storage, v, op, where);
  }
  // Neutral in the first thread.
  template <class Dims, class T, class Op>
  MUSTER_FN static T below(block<Dims> b, block_storage<Stored, StoredDims>& storage, T const& v, Op const& op, site where) {
    return scan<before_own>(b, storage, v, op, where);
  }
};

// What an exclusive scan gives: the operator's identity in the first thread.
template <class Op, class Dims, class T>
MUSTER_FN T with_identity(block<Dims> b, T const& below) {
  if constexpr (identity_changes_bits<Op, T>) return thread_rank(b) == 0 ? static_cast<T>(Op::template identity<T>()) : below;
  else return below;
}

}  // namespace detail

// Thread r gets v0·...·vr of the block. Op: a monoid, need not be commutative. T: any trivially copyable type but a pointer; the storage is block_storage<T, Dims>.
// Cost: two barriers, the scan of a warp or of a smaller tile, and a fold of the totals before it (block_way.hpp). A block of one warp: the scan of its tile, no barrier.
template <detail::policy Policy, class Dims, detail::storage Storage, class T, class Op>
MUSTER_RESULT_FN T inclusive_scan(Policy, block<Dims> b, Storage& storage, T v, Op op, site where = site::here()) {
  static_assert(detail::storage_fits_call<T, Dims, Storage>::value);
  return detail::block_scans<Policy, Storage>::inclusive(b, storage, v, op, where);
}
template <class Dims, detail::storage Storage, class T, class Op>
MUSTER_RESULT_FN T inclusive_scan(block<Dims> b, Storage& storage, T v, Op op, site where = site::here()) {
  return inclusive_scan(policy::automatic, b, storage, v, op, where);
}

// Thread r gets v0·...·v(r-1) of the block, thread 0 the operator's identity. Cost: one shfl a word more.
template <detail::policy Policy, class Dims, detail::storage Storage, class T, class Op>
MUSTER_RESULT_FN T exclusive_scan(Policy, block<Dims> b, Storage& storage, T v, Op op, site where = site::here()) {
  static_assert(detail::storage_fits_call<T, Dims, Storage>::value);
  return detail::with_identity<Op>(b, detail::block_scans<Policy, Storage>::below(b, storage, v, op, where));
}
template <class Dims, detail::storage Storage, class T, class Op>
MUSTER_RESULT_FN T exclusive_scan(block<Dims> b, Storage& storage, T v, Op op, site where = site::here()) {
  return exclusive_scan(policy::automatic, b, storage, v, op, where);
}

// The same over N values a thread, in place: thread r holds elements r·N to r·N + N - 1 of the block's sequence.
template <detail::policy Policy, class Dims, detail::storage Storage, class T, int N, class Op>
MUSTER_FN void inclusive_scan(Policy, block<Dims> b, Storage& storage, T (&values)[N], Op op, site where = site::here()) {
  static_assert(detail::storage_fits_call<T, Dims, Storage>::value);
  T before = detail::block_scans<Policy, Storage>::below(b, storage, detail::fold_own(values, op), op, where);
MUSTER_UNROLL
  for (int i = 0; i < N; ++i) {
    before = op(before, values[i]);
    values[i] = before;
  }
}
template <class Dims, detail::storage Storage, class T, int N, class Op>
MUSTER_FN void inclusive_scan(block<Dims> b, Storage& storage, T (&values)[N], Op op, site where = site::here()) {
  inclusive_scan(policy::automatic, b, storage, values, op, where);
}
template <detail::policy Policy, class Dims, detail::storage Storage, class T, int N, class Op>
MUSTER_FN void exclusive_scan(Policy, block<Dims> b, Storage& storage, T (&values)[N], Op op, site where = site::here()) {
  static_assert(detail::storage_fits_call<T, Dims, Storage>::value);
  T before = detail::block_scans<Policy, Storage>::below(b, storage, detail::fold_own(values, op), op, where);
MUSTER_UNROLL
  for (int i = 0; i < N; ++i) {
    T const own = values[i];
    values[i] = i == 0 ? detail::with_identity<Op>(b, before) : before;
    before = op(before, own);
  }
}
template <class Dims, detail::storage Storage, class T, int N, class Op>
MUSTER_FN void exclusive_scan(block<Dims> b, Storage& storage, T (&values)[N], Op op, site where = site::here()) {
  exclusive_scan(policy::automatic, b, storage, values, op, where);
}

MUSTER_END
