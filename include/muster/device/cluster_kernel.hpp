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
#include <muster/core/with.hpp>
#include <muster/device/softmax_kernels.hpp>
#include <muster/device/tell_blocks.hpp>

MUSTER_BEGIN

namespace device::detail {

// What the parts of a row say in each block of its cluster: its warps, or, where those would be too many messages, its blocks.
template <class A, int Blocks, int Warps>
struct cluster_partials {
  static constexpr bool of_blocks = Blocks >= 8;
  static constexpr int count = of_blocks ? Blocks : Blocks * Warps;
  alignas(16) part_of_sum<A> of_cluster[count];
  alignas(16) part_of_sum<A> of_block[of_blocks ? Warps : 1];
  std::uint64_t arrived;  // counts their bytes
};

template <class Result, class A, int Blocks, class Dims>
struct cluster_fold {
  static constexpr int warps = Dims::count / warp_size;
  using partials = cluster_partials<A, Blocks, warps>;
  block<Dims> b;
  partials& shared;

  template <class Values, class Exponent = typename Values::exponent>
  MUSTER_FN row_sum<Exponent> operator()(Values& values, A& weight) const {
    constexpr auto replaced = Result::replaced;
    auto const warp = this_warp(b);
    part_of_sum<A> part;
    part.maximum = reduce(warp, values.maximum(), maximum{}).value();
    part.sum = reduce(warp, values.sum(part.template exponent<replaced, Exponent>()), plus{}).value();
    unsigned const own = backend::block_rank_in_cluster();
    int const of_warp = warp_rank(b);
    backend::wait_for_blocks();
    if constexpr (!partials::of_blocks) {
      tell_blocks<Blocks>(thread_rank(warp), &shared.of_cluster[own * warps + static_cast<unsigned>(of_warp)], &shared.arrived, part);
    } else {
      if (thread_rank(warp) == 0) shared.of_block[of_warp] = part;
      sync(b);
      only_warp<0>(b, with(shared, own), [](auto warp, auto& shared, unsigned own) {  // captures nothing: strict scopes hold for the library too
        tell_blocks<Blocks>(thread_rank(warp), &shared.of_cluster[own], &shared.arrived, united<replaced_in_part<replaced>, Exponent>(warp, shared.of_block, warps));
      });
    }
    backend::wait_for_arrival<cluster_fold>(&shared.arrived, shared.of_cluster, sizeof shared.of_cluster, 0, site::here());
    auto const of_row = united<replaced, Exponent>(warp, shared.of_cluster, partials::count);
    Exponent const exponent(reference_of<replaced>(of_row.maximum));
    weight = part.template weight<replaced>(exponent);
    return {exponent, of_row.sum};
  }
};

// A cluster of Blocks blocks a row. Launched in clusters of so many. Resident: how many blocks one multiprocessor is to hold, so that one reads while another one waits for
// its cluster; 0 where registers leave room without being told.
template <class Result, class A, int Blocks, int Threads, int Slots, class Access, unsigned Resident = 0>
struct softmax_by_clusters {
  static constexpr unsigned resident_blocks = Resident;
  using shared = cluster_partials<A, Blocks, Threads / warp_size>;

  template <class In, class Out, class Load, class Store>
  MUSTER_FN void operator()(auto b, shared& partials, matrix<In const> in, matrix<Out> out, Load load, Store store) const {
    if (thread_rank(b) == 0) {
      backend::open_arrival(&partials.arrived);
      // At once: behind the barrier it costs a register that rows with edges spill, which then come to .89 of a copy instead of .96.
      backend::expect_arrival(&partials.arrived, static_cast<unsigned>(sizeof partials.of_cluster));
    }
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
