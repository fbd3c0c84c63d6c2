// The kernels of row softmax: a tile of lanes a row, a block a row, and a block that reads its row twice. What they give for a row is a result: softmax, its logarithm,
// or the logarithm of the sum.
#pragma once

#include <muster/algorithm/reduce.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/warp.hpp>
#include <muster/device/lane_row.hpp>
#include <muster/device/numbers.hpp>
#include <muster/primitive/invoke_one.hpp>

MUSTER_BEGIN

namespace device::detail {

// --- results ------------------------------------------------------------------------------------------------------------------------------

// `replaced`: which maxima are not subtracted. `keeps_exponentials`: finish gets exp(value - reference) of each value, already relative to the row's reference
// up to the factor `weight`; otherwise the value itself.
template <empty_row Empty>
struct softmax_result {
  static constexpr auto replaced = muster::detail::replaced_for<Empty>;
  static constexpr bool writes_values = true;
  static constexpr bool keeps_exponentials = true;

  template <class A>
  struct finish {
    A factor;
    MUSTER_FN finish(row_sum<A> const& row, A weight) : factor(row.template scale<Empty>() * weight) {}
    MUSTER_FN A operator()(A exponential) const { return exponential * factor; }
  };
};

template <empty_row Empty>
struct log_softmax_result {
  static constexpr auto replaced = muster::detail::replaced_for<Empty>;
  static constexpr bool writes_values = true;
  static constexpr bool keeps_exponentials = false;

  template <class A>
  struct finish {
    A reference, log_sum;
    MUSTER_FN finish(row_sum<A> const& row, A) : reference(row.reference), log_sum(row.template log_sum<Empty>()) {}
    MUSTER_FN A operator()(A value) const { return value - reference - log_sum; }
  };
};

struct log_sum_exp_result {
  static constexpr auto replaced = replaced_maximum::infinite;
  static constexpr bool writes_values = false;
  static constexpr bool keeps_exponentials = false;
};

// --- values of one lane -------------------------------------------------------------------------------------------------------------------

// The sum of exp(value - reference); where Keep, the exponentials stay in `values`. Four sums, so that an addition does not wait for the one before.
template <bool Keep, class A, int N>
MUSTER_FN void add_exponentials(A (&sums)[4], A (&values)[N], A reference) {
MUSTER_UNROLL
  for (int i = 0; i < N; ++i) {
    A const e = exponential(values[i] - reference);
    if constexpr (Keep) values[i] = e;
    sums[i % 4] += e;
  }
}
template <class A>
MUSTER_FN A total_of(A const (&sums)[4]) {
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <class A, int N>
MUSTER_FN A own_maximum(A so_far, A const (&values)[N]) {
MUSTER_UNROLL
  for (int i = 0; i < N; ++i) so_far = maximum{}(so_far, values[i]);
  return so_far;
}

// A lane's values in the type to compute in: in registers, where `is_held`; otherwise they stay packed and are widened, and exponentials taken, each time anew.
// More than 32 floats a lane would leave a block of 1024 threads too few registers; a functor of one's own is asked only once for a value.
template <class Result, class A, class Row, class In, class Load>
class lane_values {
 public:
  static constexpr bool is_held = sizeof(In) >= 4 || Row::size <= 32 || !std::is_same_v<Load, as_is>;

  MUSTER_FN lane_values(Row& packed, span_of_row<In const> span, Load const& load) : packed_(packed), span_(span), load_(load) {
    if constexpr (is_held) {
MUSTER_UNROLL
      for (int s = 0; s < Row::slots; ++s) packed_.widen(s, held_[s], span_, load_);
    }
  }

  MUSTER_FN A maximum() const {
    A result = lowest_value<A>();
MUSTER_UNROLL
    for (int s = 0; s < Row::slots; ++s) {
      if constexpr (is_held) {
        result = own_maximum(result, held_[s]);
      } else {
        A values[Row::per_vector];
        packed_.widen(s, values, span_, load_);
        result = own_maximum(result, values);
      }
    }
    return result;
  }

  MUSTER_FN A sum(A reference) {
    if constexpr (!is_held) packed_.forget_conversions();
    A sums[4] = {A(0), A(0), A(0), A(0)};
MUSTER_UNROLL
    for (int s = 0; s < Row::slots; ++s) {
      if constexpr (is_held) {
        add_exponentials<Result::keeps_exponentials>(sums, held_[s], reference);
      } else {
        A values[Row::per_vector];
        packed_.widen(s, values, span_, load_);
        add_exponentials<false>(sums, values, reference);
      }
    }
    return total_of(sums);
  }

  // Stores the results; `weight` as in part_of_sum.
  template <class Out, class Store>
  MUSTER_FN void write(row_sum<A> const& row, A weight, span_of_row<Out> to, bool in_phase, Store const& store) {
    if constexpr (!is_held) packed_.forget_conversions();
    typename Result::template finish<A> const finish(row, is_held ? weight : A(1));
MUSTER_UNROLL
    for (int s = 0; s < Row::slots; ++s) {
      A values[Row::per_vector];
      if constexpr (!is_held) packed_.widen(s, values, span_, load_);
MUSTER_UNROLL
      for (int i = 0; i < Row::per_vector; ++i) {
        A value = is_held ? held_[s][i] : values[i];
        if constexpr (!is_held && Result::keeps_exponentials) value = exponential(value - row.reference);
        values[i] = finish(value);
      }
      packed_.write(s, values, to, in_phase, store);
    }
  }

 private:
  Row& packed_;
  span_of_row<In const> span_;
  Load const& load_;
  A held_[is_held ? Row::slots : 1][Row::per_vector];
};

// --- who folds ----------------------------------------------------------------------------------------------------------------------------

// A tile folds its whole row: every lane gets the row's maximum before it takes exponentials.
template <class Result, class Tile>
struct tile_fold {
  Tile tile;

  template <class Values, class A>
  MUSTER_FN row_sum<A> operator()(Values& values, A& weight) const {
    A const reference = reference_of<Result::replaced>(reduce(tile, values.maximum(), maximum{}).value());
    weight = A(1);
    return {reference, reduce(tile, values.sum(reference), plus{}).value()};
  }
};

// What the warps of a block tell each other.
template <class A, int Warps>
struct block_partials {
  A maximum[Warps];
  A sum[Warps];
};

// Each warp folds what it has against its own maximum; one exchange of (maximum, sum) then gives the row's, with one barrier.
template <class Result, class A, int Warps, class Dims>
MUSTER_FN row_sum<A> joined(block<Dims> b, block_partials<A, Warps>& shared, part_of_sum<A> mine) {
  auto const warp = this_warp(b);
  invoke_one(warp, [&] {
    shared.maximum[warp_rank(b)] = mine.maximum;
    shared.sum[warp_rank(b)] = mine.sum;
  });
  sync(b);
  auto const tile = tiled_partition<Warps>(warp);
  int const rank = thread_rank(tile);
  part_of_sum<A> const other{shared.maximum[rank], shared.sum[rank]};
  A const reference = reference_of<Result::replaced>(reduce(tile, other.maximum, maximum{}).value());
  return {reference, reduce(tile, other.sum * other.template weight<Result::replaced>(reference), plus{}).value()};
}

template <class Result, class A, int Warps, class Dims>
struct block_fold {
  block<Dims> b;
  block_partials<A, Warps>& shared;

  template <class Values>
  MUSTER_FN row_sum<A> operator()(Values& values, A& weight) const {
    auto const warp = this_warp(b);
    part_of_sum<A> part;
    part.maximum = reduce(warp, values.maximum(), maximum{}).value();
    part.sum = reduce(warp, values.sum(part.template reference<Result::replaced>()), plus{}).value();
    row_sum<A> const row = joined<Result>(b, shared, part);
    weight = part.template weight<Result::replaced>(row.reference);
    return row;
  }
};

// --- kernels ------------------------------------------------------------------------------------------------------------------------------

template <class In>
using computed = std::conditional_t<std::is_same_v<In, double>, double, float>;

// A row's values from registers to the result in memory.
template <class Result, class Row, class In, class Out, class Load, class Store, class Fold>
MUSTER_FN void finish_row(Row& mine, matrix<In const> const& in, matrix<Out> const& out, long long row, int rank, bool in_phase, Load const& load, Store const& store,
                          Fold const& fold) {
  using A = computed<In>;
  bool const exists = row < in.rows;
  mine.mask();
  lane_values<Result, A, Row, In, Load> values(mine, {nullptr, 0, row, 0}, load);
  A weight;
  row_sum<A> const sum = fold(values, weight);
  if constexpr (Result::writes_values) {
    if (exists) values.write(sum, weight, span_of_row<Out>{out.data + row * out.stride, 0, row, 0}, in_phase, store);
  } else {
    if (exists && rank == 0) out.data[row * out.stride] = static_cast<Out>(store(sum.logarithm(), row, 0));
  }
}

// A tile of Lanes lanes a row, its values in registers; each tile reads RowsInFlight rows before it works on the first.
template <class Result, int Lanes, int Slots, int RowsInFlight, bool Aligned>
struct softmax_by_tiles {
  template <class In, class Out, class Load, class Store>
  MUSTER_FN void operator()(auto b, matrix<In const> in, matrix<Out> out, bool in_phase, Load load, Store store) const {
    constexpr int tiles = decltype(num_threads(b))::value / Lanes;
    auto const tile = tiled_partition<Lanes>(this_warp(b));
    int const rank = thread_rank(tile);
    long long const first = static_cast<long long>(block_rank(b).value()) * (tiles * RowsInFlight) + thread_rank(b) / Lanes;
    lane_row<In, Lanes, Slots, Aligned> mine[RowsInFlight];
MUSTER_UNROLL
    for (int i = 0; i < RowsInFlight; ++i) {
      long long const row = first + i * tiles;
      mine[i].read({in.data + row * in.stride, row < in.rows ? static_cast<int>(in.columns) : 0, row, 0}, in, rank);
    }
MUSTER_UNROLL
    for (int i = 0; i < RowsInFlight; ++i)
      finish_row<Result>(mine[i], in, out, first + i * tiles, rank, in_phase, load, store, tile_fold<Result, decltype(tile)>{tile});
  }
};

// A block a row, its values in registers.
template <class Result, class A, int Threads, int Slots, bool Aligned>
struct softmax_by_blocks {
  using shared = block_partials<A, Threads / warp_size>;

  template <class In, class Out, class Load, class Store>
  MUSTER_FN void operator()(auto b, shared& partials, matrix<In const> in, matrix<Out> out, bool in_phase, Load load, Store store) const {
    long long const row = block_rank(b).value();
    lane_row<In, Threads, Slots, Aligned> mine;
    mine.read({in.data + row * in.stride, static_cast<int>(in.columns), row, 0}, in, thread_rank(b));
    finish_row<Result>(mine, in, out, row, thread_rank(b), in_phase, load, store, block_fold<Result, A, Threads / warp_size, typename decltype(b)::dims>{b, partials});
  }
};

// A block a row of any length, in pieces of what its registers hold. The first pass keeps, in each lane, a maximum and a sum that is kept up when the maximum grows (Milakov
// and Gimelshein, "Online normalizer calculation for softmax", 2018); the second reads the row again, from its end, where L2 still has it.
template <class Result, class A, int Threads, int Slots, bool Aligned>
struct softmax_by_rereading {
  using shared = block_partials<A, Threads / warp_size>;
  template <class In>
  using lane = lane_row<In, Threads, Slots, Aligned>;

  // An unaligned piece can need a vector more than its values fill.
  template <class In>
  static constexpr int piece = (Threads * Slots - (Aligned ? 0 : 1)) * vector_size<In>;

  template <class In>
  MUSTER_FN static span_of_row<In const> piece_of(matrix<In const> const& in, long long row, long long begin) {
    long long const left = in.columns - begin;
    return {in.data + row * in.stride + begin, left < piece<In> ? static_cast<int>(left) : piece<In>, row, begin};
  }

  template <class In, class Out, class Load, class Store>
  MUSTER_FN void operator()(auto b, shared& partials, matrix<In const> in, matrix<Out> out, bool in_phase, Load load, Store store) const {
    constexpr auto replaced = Result::replaced;
    long long const row = block_rank(b).value();
    long long const pieces = (in.columns + piece<In> - 1) / piece<In>;
    part_of_sum<A> own{lowest_value<A>(), A(0)};
    for (long long p = 0; p < pieces; ++p) {
      lane<In> mine;
      auto const span = piece_of(in, row, p * piece<In>);
      mine.read(span, in, thread_rank(b));
      mine.mask();
      lane_values<log_sum_exp_result, A, lane<In>, In, Load> values(mine, span, load);
      part_of_sum<A> grown{maximum{}(own.maximum, values.maximum()), A(0)};
      A const reference = grown.template reference<replaced>();
      grown.sum = own.sum * own.template weight<replaced>(reference) + values.sum(reference);
      own = grown;
    }
    auto const warp = this_warp(b);
    part_of_sum<A> part{reduce(warp, own.maximum, maximum{}).value(), A(0)};
    part.sum = reduce(warp, own.sum * own.template weight<replaced>(part.template reference<replaced>()), plus{}).value();
    row_sum<A> const sum = joined<Result>(b, partials, part);
    if constexpr (Result::writes_values) {
      for (long long p = pieces - 1; p >= 0; --p) {
        lane<In> mine;
        auto const span = piece_of(in, row, p * piece<In>);
        mine.read(span, in, thread_rank(b));
        lane_values<Result, A, lane<In>, In, Load> values(mine, span, load);
        if constexpr (Result::keeps_exponentials) values.sum(sum.reference);
        values.write(sum, A(1), span_of_row<Out>{out.data + row * out.stride + span.column, span.count, row, span.column}, in_phase, store);
      }
    } else {
      if (thread_rank(b) == 0) out.data[row * out.stride] = static_cast<Out>(store(sum.logarithm(), row, 0));
    }
  }
};

}  // namespace device::detail

MUSTER_END
