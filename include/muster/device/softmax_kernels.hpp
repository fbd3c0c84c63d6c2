// The kernels of row softmax: a tile of lanes a row, a block a row, and a block that reads its row twice.
#pragma once

#include <cstddef>

#include <muster/algorithm/reduce.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/warp.hpp>
#include <muster/core/with.hpp>
#include <muster/device/lane_row.hpp>
#include <muster/device/lane_values.hpp>
#include <muster/device/numbers.hpp>
#include <muster/primitive/invoke_one.hpp>

MUSTER_BEGIN

namespace device::detail {

// --- who folds ----------------------------------------------------------------------------------------------------------------------------

// A tile folds its whole row: every lane gets the row's maximum before it takes exponentials.
template <class Result, class Tile>
struct tile_fold {
  Tile tile;

  template <class Values, class A, class Exponent = typename Values::exponent>
  MUSTER_FN row_sum<Exponent> operator()(Values& values, A& weight) const {
    Exponent const exponent(reference_of<Result::replaced>(reduce(tile, values.maximum(), maximum{}).value()));
    weight = A(1);
    return {exponent, reduce(tile, values.sum(exponent), plus{}).value()};
  }
};

// What `count` parts of a row are together, relative to the largest of their maxima unless Replaced says otherwise. Every lane of the warp gets it.
template <replaced_maximum Replaced, class Exponent, class A>
MUSTER_FN part_of_sum<A> united(any_tile auto warp, part_of_sum<A> const* parts, int count) {
  int const lane = thread_rank(warp);
  part_of_sum<A> all{numeric<A>::lowest(), A(0)};
  for (int i = lane; i < count; i += warp_size) all.maximum = maximum{}(all.maximum, parts[i].maximum);
  all.maximum = reduce(warp, all.maximum, maximum{}).value();
  Exponent const exponent(reference_of<Replaced>(all.maximum));
  for (int i = lane; i < count; i += warp_size) all.sum += parts[i].sum * parts[i].template weight<Replaced>(exponent);
  all.sum = reduce(warp, all.sum, plus{}).value();
  return all;
}

// What the warps of a block tell each other.
template <class A, int Warps>
struct block_partials {
  A maximum[Warps];
  A sum[Warps];
};

// algorithm/block_softmax takes one value a thread, and the block's maximum before the sum: one exchange more. Here a thread has many values, and a weight for its warp
// costs it one multiplication. Each warp folds what it has against its own maximum; one exchange of (maximum, sum) then gives the row's, with one barrier.
template <class Result, class Exponent, class A, int Warps, class Dims>
MUSTER_FN row_sum<Exponent> joined(block<Dims> b, block_partials<A, Warps>& shared, part_of_sum<A> mine) {
  auto const warp = this_warp(b);
  int const own = warp_rank(b);
  invoke_one(warp, with(shared, mine, own), [](auto& shared, auto const& mine, int own) {  // captures nothing: strict scopes hold for the library too
    shared.maximum[own] = mine.maximum;
    shared.sum[own] = mine.sum;
  });
  sync(b);
  auto const tile = tiled_partition<Warps>(warp);
  int const rank = thread_rank(tile);
  part_of_sum<A> const other{shared.maximum[rank], shared.sum[rank]};
  Exponent const exponent(reference_of<Result::replaced>(reduce(tile, other.maximum, maximum{}).value()));
  return {exponent, reduce(tile, other.sum * other.template weight<Result::replaced>(exponent), plus{}).value()};
}

template <class Result, class A, int Warps, class Dims>
struct block_fold {
  block<Dims> b;
  block_partials<A, Warps>& shared;

  template <class Values, class Exponent = typename Values::exponent>
  MUSTER_FN row_sum<Exponent> operator()(Values& values, A& weight) const {
    auto const warp = this_warp(b);
    part_of_sum<A> part;
    part.maximum = reduce(warp, values.maximum(), maximum{}).value();
    part.sum = reduce(warp, values.sum(part.template exponent<Result::replaced, Exponent>()), plus{}).value();
    row_sum<Exponent> const row = joined<Result, Exponent>(b, shared, part);
    weight = part.template weight<Result::replaced>(row.exponent);
    return row;
  }
};

// --- kernels ------------------------------------------------------------------------------------------------------------------------------

// A row's values from registers to the result in memory.
template <class Result, class Row, class In, class Out, class Load, class Store, class Fold>
MUSTER_FN void finish_row(Row& mine, matrix<In const> const& in, matrix<Out> const& out, long long row, int rank, Load const& load, Store const& store,
                          Fold const& fold) {
  using A = computed<In>;
  bool const exists = row < in.rows;
  mine.settle();
  lane_values<Result, Row, In, Load> values(mine, {nullptr, 0, row, 0}, load);
  A weight;
  auto const sum = fold(values, weight);
  if constexpr (Result::writes_values) {
    if (exists) values.write(sum, weight, span_of_row<Out>{out.data + row * out.stride, 0, row, 0}, store);
  } else {
    if (exists && rank == 0) out.data[row * out.stride] = static_cast<Out>(store(sum.logarithm(), row, 0));
  }
}

// A tile of Lanes lanes a row, its values in registers; each tile reads RowsInFlight rows before it works on the first.
template <class Result, int Lanes, int Slots, int RowsInFlight, class Access>
struct softmax_by_tiles {
  template <class In, class Out, class Load, class Store>
  MUSTER_FN void operator()(auto b, matrix<In const> in, matrix<Out> out, Load load, Store store) const {
    constexpr int tiles = decltype(num_threads(b))::value / Lanes;
    auto const tile = tiled_partition<Lanes>(this_warp(b));
    int const rank = thread_rank(tile);
    long long const first = static_cast<long long>(block_rank(b).value()) * (tiles * RowsInFlight) + thread_rank(b) / Lanes;
    typename Access::template row<In, Lanes, Slots> mine[RowsInFlight];
MUSTER_UNROLL
    for (int i = 0; i < RowsInFlight; ++i) {
      long long const row = first + i * tiles;
      mine[i].read({in.data + row * in.stride, row < in.rows ? static_cast<int>(in.columns) : 0, row, 0}, in, rank);
    }
MUSTER_UNROLL
    for (int i = 0; i < RowsInFlight; ++i)
      finish_row<Result>(mine[i], in, out, first + i * tiles, rank, load, store, tile_fold<Result, decltype(tile)>{tile});
  }
};

// Makes a thread's row hold in the block's dynamic shared memory what is not to be in registers; how much of that a block needs.
template <class Row, class Dims>
MUSTER_FN void hold_in_shared(Row& mine, block<Dims> b) {
  if constexpr (Row::in_registers < Row::slots) mine.hold_in(dynamic_shared<vector>(b) + thread_rank(b));
}
template <int Threads, int InShared>
inline constexpr std::size_t held_bytes = static_cast<std::size_t>(Threads) * InShared * vector_bytes;

// A block a row, its values in registers.
template <class Result, class A, int Threads, int Slots, class Access>
struct softmax_by_blocks {
  using shared = block_partials<A, Threads / warp_size>;

  template <class In, class Out, class Load, class Store>
  MUSTER_FN void operator()(auto b, shared& partials, matrix<In const> in, matrix<Out> out, Load load, Store store) const {
    long long const row = block_rank(b).value();
    typename Access::template row<In, Threads, Slots> mine;
    mine.read({in.data + row * in.stride, static_cast<int>(in.columns), row, 0}, in, thread_rank(b));
    finish_row<Result>(mine, in, out, row, thread_rank(b), load, store, block_fold<Result, A, Threads / warp_size, typename decltype(b)::dims>{b, partials});
  }
};

// A block a row of any length, in pieces of what its registers hold. The first pass keeps, in each lane, a maximum and a sum that is kept up when the maximum grows
// (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018); the second reads the row again, from its end, where L2 still has it.
template <class Result, class A, int Threads, int Slots, class Access>
struct softmax_by_rereading {
  using shared = block_partials<A, Threads / warp_size>;
  template <class In>
  using lane = typename Access::template row<In, Threads, Slots>;

  template <class In>
  static constexpr int piece = lane<In>::most_values;

  template <class In>
  MUSTER_FN static span_of_row<In const> piece_of(matrix<In const> const& in, long long row, long long begin) {
    long long const left = in.columns - begin;
    return {in.data + row * in.stride + begin, left < piece<In> ? static_cast<int>(left) : piece<In>, row, begin};
  }

  template <class In, class Out, class Load, class Store>
  MUSTER_FN void operator()(auto b, shared& partials, matrix<In const> in, matrix<Out> out, Load load, Store store) const {
    constexpr auto replaced = Result::replaced;
    using exponent_type = exponent_of<In, Load>;
    long long const row = block_rank(b).value();
    long long const pieces = (in.columns + piece<In> - 1) / piece<In>;
    part_of_sum<A> own{numeric<A>::lowest(), A(0)};
    for (long long p = 0; p < pieces; ++p) {
      lane<In> mine;
      auto const span = piece_of(in, row, p * piece<In>);
      mine.read(span, in, thread_rank(b));
      mine.settle();
      lane_values<log_sum_exp_result, lane<In>, In, Load> values(mine, span, load);
      part_of_sum<A> grown{maximum{}(own.maximum, values.maximum()), A(0)};
      auto const exponent = grown.template exponent<replaced, exponent_type>();
      grown.sum = own.sum * own.template weight<replaced>(exponent) + values.sum(exponent);
      own = grown;
    }
    auto const warp = this_warp(b);
    part_of_sum<A> part{reduce(warp, own.maximum, maximum{}).value(), A(0)};
    part.sum = reduce(warp, own.sum * own.template weight<replaced>(part.template exponent<replaced, exponent_type>()), plus{}).value();
    auto const sum = joined<Result, exponent_type>(b, partials, part);
    if constexpr (Result::writes_values) {
      for (long long p = pieces - 1; p >= 0; --p) {
        lane<In> mine;
        auto const span = piece_of(in, row, p * piece<In>);
        mine.read(span, in, thread_rank(b));
        lane_values<Result, lane<In>, In, Load> values(mine, span, load);
        if constexpr (Result::keeps_exponentials) values.sum(sum.exponent);
        values.write(sum, A(1), span_of_row<Out>{out.data + row * out.stride + span.column, span.count, row, span.column}, store);
      }
    } else {
      if (thread_rank(b) == 0) out.data[row * out.stride] = static_cast<Out>(store(sum.logarithm(), row, 0));
    }
  }
};

}  // namespace device::detail

MUSTER_END
