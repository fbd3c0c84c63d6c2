// The algorithms of a cluster as one writes them with cooperative groups: what bench_cluster compares with. Each is a call of its loops (cluster.cpp).
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace bench {

namespace cg = cooperative_groups;

template <class T>
struct part_of_softmax {
  T maximum, sum;
};

// Partial: what a block tells the others.
template <class T, class Clusters, class Dims, class Partial>
struct library_call {
  static constexpr int warps = Dims::count / 32;
  struct memory {
    T of_warp[2][warps];
    Partial own;
  };
  template <class Block>
  __device__ memory* begin(Block, memory& m) const {
    return &m;
  }
  // The block's fold in every thread.
  template <class Op>
  __device__ static T fold(T (&of_warp)[warps], T v, T neutral, Op op) {
    auto const block = cg::this_thread_block();
    auto const tile = cg::tiled_partition<32>(block);
    T const own = cg::reduce(tile, v, op);
    if (tile.thread_rank() == 0) of_warp[tile.meta_group_rank()] = own;
    block.sync();
    int const lane = static_cast<int>(tile.thread_rank());
    return cg::reduce(tile, lane < warps ? of_warp[lane] : neutral, op);
  }
};

// In every thread, or with OnlyInFirst in the cluster's first thread alone; the others keep their value.
template <bool OnlyInFirst, class T, class Clusters, class Dims>
struct library_reduce : library_call<T, Clusters, Dims, T> {
  using base = library_call<T, Clusters, Dims, T>;
  __device__ T operator()(typename base::memory* m, T v) const {
    auto const cluster = cg::this_cluster();
    T const own = base::fold(m->of_warp[0], v, T(0), cg::plus<T>());
    if (threadIdx.x == 0) m->own = own;
    cluster.sync();
    T total = v;
    if (!OnlyInFirst || cluster.thread_rank() == 0) {
      total = OnlyInFirst ? own : T(0);
#pragma unroll
      for (int i = OnlyInFirst ? 1 : 0; i < Clusters::count; ++i) total += *cluster.map_shared_rank(&m->own, i);
    }
    cluster.sync();
    return total;
  }
};

template <class T, class Clusters, class Dims>
struct library_scan : library_call<T, Clusters, Dims, T> {
  using base = library_call<T, Clusters, Dims, T>;
  __device__ T operator()(typename base::memory* m, T v) const {
    auto const cluster = cg::this_cluster();
    auto const block = cg::this_thread_block();
    auto const tile = cg::tiled_partition<32>(block);
    int const lane = static_cast<int>(tile.thread_rank()), warp = static_cast<int>(tile.meta_group_rank());
    T scanned = cg::inclusive_scan(tile, v, cg::plus<T>());
    if (lane == 31) m->of_warp[0][warp] = scanned;
    block.sync();
    scanned += cg::reduce(tile, lane < warp ? m->of_warp[0][lane] : T(0), cg::plus<T>());
    if (threadIdx.x == Dims::count - 1) m->own = scanned;
    cluster.sync();
    int const rank = static_cast<int>(cluster.block_rank());
#pragma unroll
    for (int i = 0; i < Clusters::count - 1; ++i)
      if (i < rank) scanned += *cluster.map_shared_rank(&m->own, i);
    cluster.sync();
    return scanned;
  }
};

template <class T, class Clusters, class Dims>
struct library_softmax : library_call<T, Clusters, Dims, part_of_softmax<T>> {
  using base = library_call<T, Clusters, Dims, part_of_softmax<T>>;
  __device__ T operator()(typename base::memory* m, T v) const {
    auto const cluster = cg::this_cluster();
    auto const exponential = [](T x) {
      if constexpr (sizeof(T) == 4)
        return __expf(x);
      else
        return exp(x);
    };
    T const own_maximum = base::fold(m->of_warp[0], v, v, cg::greater<T>());
    T const own = exponential(v - own_maximum);
    T const own_sum = base::fold(m->of_warp[1], own, T(0), cg::plus<T>());
    if (threadIdx.x == 0) m->own = {own_maximum, own_sum};
    cluster.sync();
    part_of_softmax<T> parts[Clusters::count];
#pragma unroll
    for (int i = 0; i < Clusters::count; ++i) parts[i] = *cluster.map_shared_rank(&m->own, i);
    T maximum = parts[0].maximum, sum = T(0);
#pragma unroll
    for (int i = 1; i < Clusters::count; ++i) maximum = parts[i].maximum > maximum ? parts[i].maximum : maximum;
#pragma unroll
    for (int i = 0; i < Clusters::count; ++i) sum += parts[i].sum * exponential(parts[i].maximum - maximum);
    cluster.sync();
    return own * exponential(own_maximum - maximum) / sum;
  }
};

}  // namespace bench
