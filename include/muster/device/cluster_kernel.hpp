// Row softmax by clusters: several blocks hold a row in their registers and tell each other their maxima and sums once.
#pragma once

#include <cstdint>

#include <muster/algorithm/reduce.hpp>
#include <muster/backend/blocks.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/cluster.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/site.hpp>
#include <muster/core/warp.hpp>
#include <muster/device/softmax_kernels.hpp>

MUSTER_BEGIN

namespace device::detail {

// What every warp of the cluster says, in each of its blocks.
template <class A, int Count>
struct cluster_partials {
  alignas(16) part_of_sum<A> of_warp[Count];
};

template <class Result, class A, int Blocks, class Dims>
struct cluster_fold {
  static constexpr int warps = Dims::count / warp_size;
  using partials = cluster_partials<A, Blocks * warps>;
  block<Dims> b;
  partials& shared;

  template <class Values, class Exponent = typename Values::exponent>
  MUSTER_FN row_sum<Exponent> operator()(Values& values, A& weight) const {
    auto const warp = this_warp(b);
    part_of_sum<A> part;
    part.maximum = reduce(warp, values.maximum(), maximum{}).value();
    part.sum = reduce(warp, values.sum(part.template exponent<Result::replaced, Exponent>()), plus{}).value();
    int const lane = thread_rank(warp);
    backend::wait_for_blocks();
    if (lane < Blocks) {
      auto const words = backend::to_words(part);
      auto* const cell = &shared.of_warp[backend::block_rank_in_cluster() * warps + static_cast<unsigned>(warp_rank(b))];
      backend::store_in_block(reinterpret_cast<std::uint32_t*>(cell), static_cast<unsigned>(lane), words.word, site::here());
    }
    sync(this_cluster(b));
    A largest = numeric<A>::lowest();
MUSTER_UNROLL
    for (int i = 0; i < Blocks * warps; i += warp_size)
      if (i + lane < Blocks * warps) largest = maximum{}(largest, shared.of_warp[i + lane].maximum);
    Exponent const exponent(reference_of<Result::replaced>(reduce(warp, largest, maximum{}).value()));
    A sum = A(0);
MUSTER_UNROLL
    for (int i = 0; i < Blocks * warps; i += warp_size) {
      if (i + lane >= Blocks * warps) continue;
      part_of_sum<A> const other = shared.of_warp[i + lane];
      sum += other.sum * other.template weight<Result::replaced>(exponent);
    }
    weight = part.template weight<Result::replaced>(exponent);
    return {exponent, reduce(warp, sum, plus{}).value()};
  }
};

// A cluster of Blocks blocks a row. Launched in clusters of so many.
template <class Result, class A, int Blocks, int Threads, int Slots, class Access>
struct softmax_by_clusters {
  using shared = cluster_partials<A, Blocks * (Threads / warp_size)>;

  template <class In, class Out, class Load, class Store>
  MUSTER_FN void operator()(auto b, shared& partials, matrix<In const> in, matrix<Out> out, Load load, Store store) const {
    backend::announce_block();
    auto const cluster = this_cluster(b);
    int const rank = thread_rank(cluster);
    long long const row = cluster_rank(cluster).value();
    typename Access::template row<In, Threads * Blocks, Slots> mine;
    mine.read({in.data + row * in.stride, static_cast<int>(in.columns), row, 0}, in, rank);
    finish_row<Result>(mine, in, out, row, rank, load, store, cluster_fold<Result, A, Blocks, typename decltype(b)::dims>{b, partials});
  }
};

}  // namespace device::detail

MUSTER_END
