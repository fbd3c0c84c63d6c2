// cluster_storage<T, Cluster, Dims>: the shared memory in which the blocks of a cluster exchange values of T, and how a partial comes into
// all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <muster/algorithm/block_storage.hpp>
#include <muster/algorithm/block_way.hpp>
#include <muster/backend/blocks.hpp>
#include <muster/backend/words.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/cluster.hpp>
#include <muster/core/placed_dims.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/value_traits.hpp>

MUSTER_BEGIN

namespace detail {

struct cluster_storage_access;

template <class T, bool IsCluster>
struct storage_is_for_a_cluster_shape {
  static_assert(IsCluster, "muster::cluster_storage<T, Cluster, Dims>: Cluster is cluster_dims<X, Y, Z>, as the kernel is launched with");
  static constexpr bool value = true;
};

// Whether the first warp is whole and has others to fold for.
template <class Dims>
inline constexpr bool first_warp_folds = Dims::is_static && !is_one_warp<Dims>;

// How many partials a warp exchanges with the other blocks: the softmax of few warps sends those of warps and not of blocks, which spares it
// the meeting of the block's warps.
template <class Cluster, class Dims>
inline constexpr bool warps_send_to_blocks = first_warp_folds<Dims> && Cluster::count <= 8 && Cluster::count * most_warps<Dims> <= warp_size;
template <class Cluster, class Dims>
inline constexpr int partials_of_cluster = warps_send_to_blocks<Cluster, Dims> ? Cluster::count * most_warps<Dims> : Cluster::count;

// Cells for the partials, for one of each warp of the own block, and for a result that one warp hands to the others.
template <class Cluster, class Dims>
inline constexpr int cells_of_cluster = partials_of_cluster<Cluster, Dims> + most_warps<Dims> + 1;

// softmax exchanges pairs of accumulators, of which each is a float or as large as T.
template <class T>
inline constexpr int most_words_of_partial = sizeof(T) <= 4   ? 2
                                             : sizeof(T) <= 8 ? 4
                                                              : words_of<T>;

}  // namespace detail

// struct shared { muster::cluster_storage<float, muster::cluster_dims<4>, muster::block_dims<256>> fold; };       in the kernel
// float const total = muster::reduce(muster::this_cluster(block), s.fold, v, muster::plus{});
//
// One storage serves every algorithm on values of T in a cluster of this shape, one call after the other. Each call waits for all blocks
// before it writes to them, and for all that they write, so no barrier is the caller's, neither between calls nor at the kernel's beginning
// or end.
template <class T, class Cluster, class Dims>
class cluster_storage {
  static_assert(detail::storage_is_for_a_cluster_shape<Cluster, detail::is_cluster_dims<Cluster>>::value);

 public:
  using value_type = T;
  using cluster_type = Cluster;
  using dims = Dims;

 private:
  std::uint64_t arrival_;
  block_storage<T, Dims> of_block_;
  detail::word_array<detail::cells_of_cluster<Cluster, Dims> * detail::most_words_of_partial<T>> cells_;
  friend struct detail::cluster_storage_access;
};

namespace detail {

template <class T>
inline constexpr bool is_cluster_storage = false;
template <class T, class Cluster, class Dims>
inline constexpr bool is_cluster_storage<cluster_storage<T, Cluster, Dims>> = true;
template <class T>
concept storage_of_cluster = is_cluster_storage<T>;

struct cluster_storage_access {
  template <class T, class Cluster, class Dims>
  MUSTER_FN static block_storage<T, Dims>& of_block(cluster_storage<T, Cluster, Dims>& s) {
    return s.of_block_;
  }
  template <class T, class Cluster, class Dims>
  MUSTER_FN static std::uint64_t* arrival(cluster_storage<T, Cluster, Dims>& s) {
    return &s.arrival_;
  }
  template <class T, class Cluster, class Dims>
  MUSTER_FN static std::uint32_t* partials(cluster_storage<T, Cluster, Dims>& s) {
    return s.cells_.word;
  }
};

template <class Cluster, class StoredCluster>
struct storage_is_for_this_cluster {
  static_assert(std::is_same_v<Cluster, StoredCluster>,
                "muster: this storage was declared for a cluster of another shape; declare cluster_storage<T, Cluster, Dims> with the "
                "cluster_dims that the kernel is launched with");
  static constexpr bool value = true;
};

template <class T, class Dims, class Storage>
struct cluster_storage_fits_call {
  static constexpr bool value = storage_fits_call<T, Dims, Storage>::value &&
                                storage_is_for_this_cluster<cluster_type_of<Dims>, typename Storage::cluster_type>::value;
};

template <class Dims>
inline constexpr int blocks_of_cluster = cluster_type_of<Dims>::count;

template <class Dims>
MUSTER_FN block<Dims> own_block(cluster<Dims>) {
  return mint::make<block<Dims>>();
}

// An exchange, in the order of its steps; all threads of the cluster take each of them. The block's own work stands between the first two:
// others are waited for meanwhile. A block that is a cluster by itself keeps its partials, in its own memory, and needs only the block's
// barriers; memcheck (CUDA 13.0) takes st.async there for an error.
template <class Call, class T, int MostPartials, bool IsAlone>
struct exchange {
  std::uint32_t* partials;  // of the caller's block
  std::uint64_t* arrival;
  unsigned count;  // of the partials that come to the block
  int number;      // what must agree in all threads besides the call
  bool opens;      // the first thread of a block to which partials come; in each call the same one
  site where;

  static constexpr bool by_arrival = MUSTER_ON_DEVICE == 0 || !IsAlone;
  static constexpr int words = words_of<T>;
  static constexpr std::size_t bytes = std::size_t{4} * MostPartials * words;  // that other blocks may write to

  // The caller's block is there. What the last call left here has been read: see end.
  MUSTER_FN void begin() const {
    if constexpr (by_arrival) {
      if (opens) backend::open_arrival(arrival);
      backend::announce_block();
    }
  }
  MUSTER_FN void wait_until_all_began() const {
#if MUSTER_ON_DEVICE
    if constexpr (by_arrival) backend::wait_for_blocks();
#else
    backend::wait_for_arrival<Call>(arrival, partials, bytes, number, where);
#endif
  }
  // Partial `index` of the cluster, to the blocks `to`, to + step, ... below `blocks`.
  MUSTER_FN void send(T const& partial, unsigned index, unsigned to, unsigned step, unsigned blocks) const {
    std::uint32_t* const place = partials + index * static_cast<unsigned>(words);
    auto const sent = backend::to_words(partial);
    for (unsigned block = to; block < blocks; block += step) {
      if constexpr (by_arrival) backend::send_to_block(place, arrival, block, sent.word, where);
      else store_words<words_together(words)>(place, sent.word);
    }
  }
  MUSTER_FN void wait_for_partials() const { wait_for_partials_if(true); }
  // The same for a caller that reads them; others go on. On the emulator all wait, so that it sees who is absent.
  MUSTER_FN void wait_for_partials_if(bool reads) const {
    if constexpr (by_arrival) {
      if (opens) backend::expect_arrival(arrival, count * static_cast<unsigned>(4 * words));
      if (reads || !MUSTER_ON_DEVICE) backend::wait_for_arrival<Call>(arrival, partials, bytes, number, where);
    } else {
      backend::sync_block(where);
    }
  }
  // After the last read of partials.
  MUSTER_FN void end() const {
    backend::sync_block(where);
    if constexpr (by_arrival)
      if (opens) backend::close_arrival(arrival);
  }
};

template <class Call, class T, class Dims, class Storage>
MUSTER_FN auto exchange_in(cluster<Dims> c, Storage& storage, unsigned count, int number, site where, bool partials_come = true) {
#if !MUSTER_ON_DEVICE
  emulator::check_in_shared_memory(__builtin_addressof(storage), sizeof storage, alignof(Storage), where);
#endif
  constexpr int most_partials = partials_of_cluster<cluster_type_of<Dims>, plain_dims<Dims>>;
  return exchange<Call, T, most_partials, blocks_of_cluster<Dims> == 1>{
      cluster_storage_access::partials(storage), cluster_storage_access::arrival(storage), count, number,
      partials_come && thread_rank(own_block(c)) == 0, where};
}

}  // namespace detail

MUSTER_END
