// Row softmax where there are too few rows to keep a GPU busy: what counts is how many cycles lie between the end of the kernel before it and the last store.
//
// The kernel begins while that one still runs: till then its blocks have found each other, and the row is on its way to L2. A row of 16 KiB takes a cluster of 8 blocks: one
// multiprocessor would need 256 cycles each to read it, to take its exponentials and to store it. The arguments that are needed late lie in the constant cache's line of those
// that are needed first; a lane takes its exponentials against its own maximum while the warp's is found; the warp sums in fixed point; and each warp tells all others once.
// bench/few_rows.cpp times the steps.
#pragma once

#include <cstdint>

#include <muster/algorithm/reduce.hpp>
#include <muster/backend/blocks.hpp>
#include <muster/backend/global_words.hpp>
#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/warp.hpp>
#include <muster/device/fixed_sum.hpp>
#include <muster/device/lane_row.hpp>
#include <muster/device/lane_values.hpp>
#include <muster/device/numbers.hpp>
#include <muster/device/tell_blocks.hpp>
#include <muster/launch/early_start.hpp>
#include <muster/primitive/shuffle.hpp>

MUSTER_BEGIN

namespace device::detail {

// The matrices as the kernel takes them: what it needs of them, with the kernel object before it, ends within the first 64 bytes of its arguments, a line of the constant
// cache.
template <class In, class Out>
struct few_rows {
  In const* in;
  Out* out;
  long long in_stride, out_stride;
  int columns;
};

// What the warps of a row tell each other.
template <class A, int Warps>
struct few_rows_partials {
  alignas(16) part_of_sum<A> of_row[Warps];
  std::uint64_t arrived;  // counts their bytes, where they come from other blocks
};

// Of a thread of a block of one dimension and whole warps; without the register for it, which takes longer to read.
template <class Dims>
MUSTER_FN int lane_of(block<Dims> b) {
  return static_cast<int>(static_cast<unsigned>(thread_rank(b)) % warp_size);
}

// Every warp gets what every other one says.
template <int Blocks, class A, int Warps, class Dims>
MUSTER_FN void tell_all(block<Dims> b, few_rows_partials<A, Warps>& shared, part_of_sum<A> const& part, unsigned own) {
  int const lane = lane_of(b), of_block = warp_rank(b);
  if constexpr (Blocks == 1) {
    if (lane == 0) shared.of_row[of_block] = part;
    sync(b);
  } else {
    tell_blocks<Blocks>(lane, &shared.of_row[static_cast<int>(own) * (Warps / Blocks) + of_block], &shared.arrived, part);
    backend::wait_for_arrival<few_rows_partials<A, Warps>>(&shared.arrived, shared.of_row, sizeof shared.of_row, 0, site::here());
  }
}

// A cluster of Blocks blocks a row, or one block. Launched in clusters of so many, in a grid of one dimension.
template <class Result, class A, int Blocks, int Threads, int Slots, class Access>
struct softmax_of_few_rows {
  static constexpr int warps = Blocks * Threads / warp_size;
  static constexpr int parts_of_lane = (warps + warp_size - 1) / warp_size;
  using shared = few_rows_partials<A, warps>;
  static constexpr muster::detail::after_preamble starts_early{};

  // All threads, before the call: the row's way to L2, and the blocks of the cluster find each other; with that `arrived` is open.
  template <class In, class Out, class Load, class Store>
  MUSTER_FN void preamble(auto b, shared& partials, few_rows<In, Out> m, Load, Store) const {
    long long const row = backend::block_index().x / Blocks;
    row_of_lane<In>::prefetch({m.in + row * m.in_stride, m.columns, row, 0}, static_cast<int>(own_rank()) * Threads + thread_rank(b));
    if constexpr (Blocks > 1) {
      if (thread_rank(b) == 0) backend::open_arrival(&partials.arrived);
      backend::announce_block();
      backend::wait_for_blocks();
      if (thread_rank(b) == 0) backend::expect_arrival(&partials.arrived, static_cast<unsigned>(sizeof partials.of_row));
    }
  }

  template <class In, class Out, class Load, class Store>
  MUSTER_FN void operator()(auto b, shared& partials, few_rows<In, Out> m, Load load, Store store) const {
    constexpr auto replaced = Result::replaced;
    using exponent = plain_exponent<A>;
    // A sum of exponentials, of which each is at most 1 but for rounding.
    constexpr int most = 2 * row_of_lane<In>::size, most_of_warp = most * warp_size * parts_of_lane;

    unsigned const own = own_rank();
    int const rank = static_cast<int>(own) * Threads + thread_rank(b);
    long long const row = backend::block_index().x / Blocks;
    row_of_lane<In> mine;
    mine.template read<0, Slots, backend::reading::coherent>({m.in + row * m.in_stride, m.columns, row, 0}, {}, rank);
    // The same row, kept in a register: the block's index would be read again behind the exchange, where nothing hides how long that takes.
    long long const row_of_results = broadcast<0>(this_warp(b), backend::block_index().x / Blocks).value();
    mine.settle();
    lane_values<Result, row_of_lane<In>, In, Load, exponent, true> values(mine, {nullptr, 0, row, 0}, load);

    auto const warp = this_warp(b);
    part_of_sum<A> of_lane{values.maximum_by_pairs(), A(0)};
    part_of_sum<A> of_warp{reduce(warp, of_lane.maximum, maximum{}).value(), A(0)};
    of_lane.sum = values.sum(of_lane.template exponent<replaced, exponent>());
    of_lane.sum *= of_lane.template weight<replaced>(of_warp.template exponent<replaced, exponent>());
    of_warp.sum = sum_of<most>(warp, of_lane.sum);
    tell_all<Blocks>(b, partials, of_warp, own);

    int const lane = lane_of(b);
    part_of_sum<A> parts[parts_of_lane];
MUSTER_UNROLL
    for (int i = 0; i < parts_of_lane; ++i) parts[i] = lane + i * warp_size < warps ? partials.of_row[lane + i * warp_size] : part_of_sum<A>{numeric<A>::lowest(), A(0)};
    A largest = parts[0].maximum, total = A(0);
MUSTER_UNROLL
    for (int i = 1; i < parts_of_lane; ++i) largest = maximum{}(largest, parts[i].maximum);
    exponent const of_row(reference_of<replaced>(reduce(warp, largest, maximum{}).value()));
    A const weight = of_lane.template weight<replaced>(of_row);
MUSTER_UNROLL
    for (int i = 0; i < parts_of_lane; ++i) total += parts[i].sum * parts[i].template weight<replaced>(of_row);
    row_sum<exponent> const sum{of_row, sum_of<most_of_warp>(warp, total)};
    if constexpr (Result::writes_values) {
      values.write(sum, weight, span_of_row<Out>{m.out + row_of_results * m.out_stride, 0, row, 0}, store);
    } else {
      if (rank == 0) m.out[row * m.out_stride] = static_cast<Out>(store(sum.logarithm(), row, 0));
    }
  }

 private:
  template <class In>
  using row_of_lane = typename Access::template row<In, Blocks * Threads, Slots>;

  MUSTER_FN static unsigned own_rank() { return Blocks > 1 ? backend::block_rank_in_cluster() : 0; }

  // Exponentials are 0 to 1, or NaN in a row with +inf; but not where the result is to be +inf then.
  template <int Most>
  MUSTER_FN static A sum_of(tile<warp_size> warp, A value) {
    if constexpr (Result::replaced == replaced_maximum::infinite) return reduce(warp, value, plus{}).value();
    else return fixed_sum<Most>(warp, value);
  }
};

}  // namespace device::detail

MUSTER_END
