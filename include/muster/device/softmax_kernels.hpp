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

  template <class Exponent, class A = typename Exponent::type>
  struct finish {
    A factor;
    MUSTER_FN finish(row_sum<Exponent> const& row, A weight) : factor(row.template scale<Empty>() * weight) {}
    MUSTER_FN A operator()(A exponential) const { return exponential * factor; }
  };
};

template <empty_row Empty>
struct log_softmax_result {
  static constexpr auto replaced = muster::detail::replaced_for<Empty>;
  static constexpr bool writes_values = true;
  static constexpr bool keeps_exponentials = false;

  template <class Exponent, class A = typename Exponent::type>
  struct finish {
    A reference, log_sum;
    MUSTER_FN finish(row_sum<Exponent> const& row, A) : reference(row.exponent.reference()), log_sum(row.template log_sum<Empty>()) {}
    MUSTER_FN A operator()(A value) const { return value - reference - log_sum; }
  };
};

struct log_sum_exp_result {
  static constexpr auto replaced = replaced_maximum::infinite;
  static constexpr bool writes_values = false;
  static constexpr bool keeps_exponentials = false;
};

// What values of In are computed in.
template <class In>
using computed = std::conditional_t<std::is_same_v<In, double>, double, float>;

// --- values of one lane -------------------------------------------------------------------------------------------------------------------

// The sum of exponentials; where Keep, they stay in `values`. Four sums, so that an addition does not wait for the one before.
template <bool Keep, class A, int N, class Exponent>
MUSTER_FN void add_exponentials(A (&sums)[4], A (&values)[N], Exponent const& exponent) {
MUSTER_UNROLL
  for (int i = 0; i < N; ++i) {
    A const e = exponent(values[i]);
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

// How exponentials are taken of values of In that Load gives.
template <class In, class Load>
using exponent_of = std::conditional_t<sizeof(In) == 2 && std::is_same_v<Load, as_is>, fused_exponent, plain_exponent<computed<In>>>;

// A lane's values in the type to compute in: in registers, where `is_held`; otherwise they stay packed and are widened, and exponentials taken, each time anew.
// 32 floats and more a lane would leave a block of 1024 threads too few registers; a functor of one's own is asked only once for a value.
template <class Result, class Row, class In, class Load>
class lane_values {
 public:
  using A = computed<In>;
  using exponent = exponent_of<In, Load>;
  static constexpr bool is_held = sizeof(In) >= 4 || Row::size < 32 || !std::is_same_v<Load, as_is>;

  MUSTER_FN lane_values(Row& packed, span_of_row<In const> span, Load const& load) : packed_(packed), span_(span), load_(load) {
    if constexpr (is_held) {
MUSTER_UNROLL
      for (int s = 0; s < Row::slots; ++s)
        if (packed_.works_on(s)) packed_.widen(s, held_[s], span_, load_);
    }
  }

  MUSTER_FN A maximum() const {
    if constexpr (std::is_same_v<exponent, fused_exponent>) return packed_.maximum();
    A result = lowest_value<A>();
MUSTER_UNROLL
    for (int s = 0; s < Row::slots; ++s) {
      if (!packed_.works_on(s)) continue;
      result = own_maximum(result, held_[s]);
    }
    return result;
  }

  MUSTER_FN A sum(exponent const& exponent) {
    A sums[4] = {A(0), A(0), A(0), A(0)};
MUSTER_UNROLL
    for (int s = 0; s < Row::slots; ++s) {
      if (!packed_.works_on(s)) continue;
      if constexpr (is_held) {
        add_exponentials<Result::keeps_exponentials>(sums, held_[s], exponent);
      } else {
        packed_.forget_conversions(s);
        A values[Row::per_slot];
        packed_.widen(s, values, span_, load_);
        add_exponentials<false>(sums, values, exponent);
      }
    }
    return total_of(sums);
  }

  // Stores the results; `weight` as in part_of_sum, `place` what the row's own `write` takes.
  template <class Out, class Store, class... Place>
  MUSTER_FN void write(row_sum<exponent> const& row, A weight, span_of_row<Out> to, Store const& store, Place... place) {
    typename Result::template finish<exponent> const finish(row, is_held ? weight : A(1));
MUSTER_UNROLL
    for (int s = 0; s < Row::slots; ++s) {
      if (!packed_.works_on(s)) continue;
      A values[Row::per_slot];
      if constexpr (!is_held) {
        packed_.forget_conversions(s);
        packed_.widen(s, values, span_, load_);
      }
MUSTER_UNROLL
      for (int i = 0; i < Row::per_slot; ++i) {
        A value = is_held ? held_[s][i] : values[i];
        if constexpr (!is_held && Result::keeps_exponentials) value = row.exponent(value);
        values[i] = finish(value);
      }
      packed_.write(s, values, to, store, place...);
    }
  }

 private:
  Row& packed_;
  span_of_row<In const> span_;
  Load const& load_;
  A held_[is_held ? Row::slots : 1][Row::per_slot];
};

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

// What the warps of a block tell each other.
template <class A, int Warps>
struct block_partials {
  A maximum[Warps];
  A sum[Warps];
};

// Each warp folds what it has against its own maximum; one exchange of (maximum, sum) then gives the row's, with one barrier.
template <class Result, class Exponent, class A, int Warps, class Dims>
MUSTER_FN row_sum<Exponent> joined(block<Dims> b, block_partials<A, Warps>& shared, part_of_sum<A> mine) {
  auto const warp = this_warp(b);
  invoke_one(warp, [&] {
    shared.maximum[warp_rank(b)] = mine.maximum;
    shared.sum[warp_rank(b)] = mine.sum;
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

// A block a row of any length, in pieces of what its registers hold. The first pass keeps, in each lane, a maximum and a sum that is kept up when the maximum grows (Milakov
// and Gimelshein, "Online normalizer calculation for softmax", 2018); the second reads the row again, from its end, where L2 still has it.
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
    part_of_sum<A> own{lowest_value<A>(), A(0)};
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
