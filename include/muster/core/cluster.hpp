// cluster<Dims>: the token of all blocks of a cluster, which run at once and reach each other's shared memory. From a block that was
// launched in one.
#pragma once

#include <type_traits>

#include <muster/backend/blocks.hpp>
#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/constant.hpp>
#include <muster/core/extent.hpp>
#include <muster/core/placed_dims.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/with.hpp>

MUSTER_BEGIN

// Every thread of the cluster's blocks. Dims are those of its blocks' tokens.
template <class Dims>
class MUSTER_TOKEN cluster final {  // as tile is
 public:
  using dims = Dims;
  using blocks = detail::cluster_type_of<Dims>;

  // User-provided on purpose: a trivially copyable token could be forged by bit_cast.
  MUSTER_FN cluster(cluster const&) {}
  cluster& operator=(cluster const&) = delete;

 private:
  MUSTER_FN cluster() {}
  friend struct detail::mint;
};

namespace detail {

template <class Dims>
inline constexpr bool is_token<cluster<Dims>> = true;

template <class Dims>
struct block_is_in_a_cluster {
  static_assert(!std::is_same_v<cluster_type_of<Dims>, no_cluster>,
                "muster::this_cluster(block): the block was launched without a cluster; launch(target, grid_dims(n), cluster_dims<4>{}, "
                "block_dims<256>{}, kernel, ...)");
  static constexpr bool value = true;
};

}  // namespace detail

// Any cluster: what helper functions ask for.
template <class T>
inline constexpr bool is_cluster = false;
template <class Dims>
inline constexpr bool is_cluster<cluster<Dims>> = true;
template <class T>
concept any_cluster = is_cluster<std::remove_cvref_t<T>>;

// The cluster of a block that was launched with cluster_dims; of another one it does not compile. Any thread may ask; no instruction.
template <class Dims>
MUSTER_FN auto this_cluster(block<Dims>) {
  static_assert(detail::block_is_in_a_cluster<Dims>::value);
  return detail::mint::make<cluster<Dims>>();
}

// The rank of the caller's block in its cluster, x first, then y, then z, uniform in the block; and how many blocks the cluster has.
template <class Dims>
MUSTER_FN auto block_rank(cluster<Dims>) {
  return detail::mint::make<uniform<unsigned, block<Dims>>>(backend::block_rank_in_cluster());
}
template <class Dims>
MUSTER_FN constexpr auto num_blocks(cluster<Dims>) {
  return constant<detail::cluster_type_of<Dims>::count>{};
}

// The caller's rank among the threads of the cluster: block after block, in each as thread_rank(block); and how many there are, a
// constant<N> where the type knows it, otherwise uniform in the cluster.
template <class Dims>
MUSTER_FN int thread_rank(cluster<Dims>) {
  auto const own = detail::mint::make<block<Dims>>();
  return static_cast<int>(backend::block_rank_in_cluster()) * detail::plain(num_threads(own)) + thread_rank(own);
}
template <class Dims>
MUSTER_FN auto num_threads(cluster<Dims>) {
  if constexpr (Dims::is_static) {
    return constant<detail::cluster_type_of<Dims>::count * Dims::count>{};
  } else {
    auto const own = detail::mint::make<block<Dims>>();
    return detail::mint::make<uniform<int, cluster<Dims>>>(detail::cluster_type_of<Dims>::count * num_threads(own).value());
  }
}

// Which cluster of the grid it is, x first, then y, then z, and how many there are. Uniform in the cluster.
template <class Dims>
MUSTER_FN auto cluster_rank(cluster<Dims>) {
  constexpr extent size = detail::cluster_type_of<Dims>::shape();
  extent const at = backend::block_index(), all = backend::grid_shape();
  unsigned const rank = linear_index({at.x / size.x, at.y / size.y, at.z / size.z}, {all.x / size.x, all.y / size.y, all.z / size.z});
  return detail::mint::make<uniform<unsigned, cluster<Dims>>>(rank);
}
template <class Dims>
MUSTER_FN auto num_clusters(cluster<Dims>) {
  constexpr unsigned size = static_cast<unsigned>(detail::cluster_type_of<Dims>::count);
  return detail::mint::make<uniform<unsigned, cluster<Dims>>>(static_cast<unsigned>(backend::grid_shape().volume() / size));
}

// Waits for every thread of the cluster and orders their memory accesses, those to each other's shared memory too. Every thread of the
// cluster must call it, in no narrowed scope. Cost: a barrier of the cluster, and until all that the caller has written is visible. Source:
// PTX ISA, "barrier.cluster" (arrive.release, wait.acquire).
template <class Dims>
MUSTER_FN void sync(cluster<Dims>, site where = site::here()) {
  backend::sync_cluster(where);
}

// The object of block `rank` that lies there where `own` lies in the caller's: own is in shared memory, the kernel's `shared` or a part of
// it, or dynamic shared memory. Reading and writing it goes through the cluster's network. A sync(cluster) must stand before the first use,
// or that block may not have begun, and another after the last, or it may have ended. The emulator reports a block that has ended or need
// not have begun, a rank that the cluster does not have, and an object outside shared memory. Source: PTX ISA, "mapa".
template <class Dims, class T>
MUSTER_FN T& shared_of(cluster<Dims>, T& own, unsigned rank, site where = site::here()) {
  if (!backend::check_block_rank(rank, static_cast<unsigned>(detail::cluster_type_of<Dims>::count), where))
    rank = backend::block_rank_in_cluster();
  return *static_cast<T*>(
      backend::shared_of_block(const_cast<void*>(static_cast<void const volatile*>(__builtin_addressof(own))), rank, where));
}

MUSTER_END
