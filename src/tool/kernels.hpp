// The tool's kernels. The demo's give each warp one row of 32 values; the others take rows of any length, a tile of Width lanes for each.
#pragma once

#include <muster/muster.hpp>

namespace muster::tool {

using kernel_block = block_dims<256>;

// How many rows a block takes, when a tile of Width lanes takes one.
template <int Width>
inline constexpr int rows_of_block = kernel_block::count / Width;

// A row of `columns` values and the lanes that work on it. Rows past the end are worked on like the others, because a collective names the lanes of all tiles of a warp,
// but nothing is read from or written to them.
template <int Width>
struct row_place {
  long long row;
  bool exists;

  template <class Block>
  MUSTER_FN row_place(Block block, long long rows)
      : row(static_cast<long long>(block_rank(block).value()) * rows_of_block<Width> + thread_rank(block) / Width), exists(row < rows) {}
};

// --- the demo: lane i holds value i of its warp's row -------------------------------------------------------------------------------------

// Algorithm::run gives each lane a result; where it is the same in all of them, one is stored for the row.
template <class Algorithm, class Policy>
struct warp_rows {
  template <class T, class Result>
  MUSTER_FN void operator()(auto block, T const* in, Result* out) const {
    auto const warp = this_warp(block);
    long long const row = row_place<warp_size>(block, 0).row;
    long long const mine = row * warp_size + thread_rank(warp);
    auto const result = Algorithm::run(Policy{}, warp, in[mine]);
    if constexpr (detail::is_uniform<std::remove_const_t<decltype(result)>>) {
      invoke_one(warp, [&] { out[row] = result.value(); });
    } else {
      out[mine] = result;
    }
  }
};

// --- rows of any length -------------------------------------------------------------------------------------------------------------------

// The fold of each row. Lane r folds values r, r + Width, r + 2 Width, ... in the type of the values, one after the other; then the tile folds what its lanes have.
// Needs a commutative operator. A floating-point sum of n values has passed through n / Width + log2(Width) roundings.
template <class Policy, class Op, int Width>
struct reduce_rows {
  template <class T>
  MUSTER_FN void operator()(auto block, T const* in, T* out, long long rows, long long columns) const {
    static_assert(Op::is_commutative);
    auto const tile = tiled_partition<Width>(this_warp(block));
    row_place<Width> const place(block, rows);
    T total = detail::neutral_of<Op, T>();
    if (place.exists)
      for (long long i = thread_rank(tile); i < columns; i += Width) total = Op{}(total, in[place.row * columns + i]);
    T const folded = reduce(Policy{}, tile, total, Op{});
    invoke_one(tile, [&] {
      if (place.exists) out[place.row] = columns == 0 ? Op::template identity<T>() : folded;
    });
  }
};

// The running fold of each row. The tile takes pieces of 4 Width neighbours, lane r the r-th four of them; what came before a piece is carried into it.
template <class Policy, class Op, int Width>
struct scan_rows {
  bool exclusive;

  template <class T>
  MUSTER_FN void operator()(auto block, T const* in, T* out, long long rows, long long columns) const {
    constexpr int n = 4;
    auto const tile = tiled_partition<Width>(this_warp(block));
    row_place<Width> const place(block, rows);
    T carried = Op::template identity<T>();
    for (long long first = 0; first < columns; first += n * Width) {  // the same number of trips in every lane
      long long const mine = first + thread_rank(tile) * n;
      T values[n];
      T own = detail::neutral_of<Op, T>();
MUSTER_UNROLL
      for (int i = 0; i < n; ++i) {
        values[i] = place.exists && mine + i < columns ? in[place.row * columns + mine + i] : detail::neutral_of<Op, T>();
        own = i == 0 ? values[0] : Op{}(own, values[i]);
      }
      T running = Op{}(carried, exclusive_scan(Policy{}, tile, own, Op{}));
MUSTER_UNROLL
      for (int i = 0; i < n; ++i) {
        T const next = Op{}(running, values[i]);
        if (place.exists && mine + i < columns) out[place.row * columns + mine + i] = exclusive ? running : next;
        running = next;
      }
      carried = broadcast<Width - 1>(tile, running);
    }
  }
};

// The sum of exp(value - maximum) and the maximum of the values so far, of which the sum is kept up when the maximum grows (Milakov and Gimelshein,
// "Online normalizer calculation for softmax", 2018). -inf adds nothing, +inf and NaN make the sum NaN, as 0/0 and inf - inf do in the plain formula.
template <class T>
struct running_softmax {
  T maximum = numeric<T>::lowest();
  T sum = T(0);

  // exp(value - maximum), where a maximum of -inf, of nobody or of -inf only, counts as 0.
  MUSTER_FN static T term(T value, T maximum) { return backend::natural_exp(value - (maximum == numeric<T>::lowest() ? T(0) : maximum)); }

  MUSTER_FN void raise_to(T larger) {
    sum *= term(maximum, larger);
    maximum = larger;
  }
  template <int N>
  MUSTER_FN void add(T const (&values)[N]) {
    T larger = maximum;
MUSTER_UNROLL
    for (int i = 0; i < N; ++i) larger = muster::maximum{}(larger, values[i]);
    if (larger > maximum) raise_to(larger);
MUSTER_UNROLL
    for (int i = 0; i < N; ++i) sum += term(values[i], maximum);
  }
};

// The softmax of each row, or its logarithm. Each lane keeps a running maximum and sum over fours of values; the tile joins them; a second pass writes.
// Special values as muster::softmax: a row of only -inf and a row with a NaN or +inf are NaN.
template <class Policy, int Width>
struct softmax_rows {
  bool log;

  template <class T>
  MUSTER_FN void operator()(auto block, T const* in, T* out, long long rows, long long columns) const {
    constexpr int n = 4;
    auto const tile = tiled_partition<Width>(this_warp(block));
    row_place<Width> const place(block, rows);
    T const* const from = in + place.row * columns;
    T* const to = out + place.row * columns;
    long long const length = place.exists ? columns : 0;

    running_softmax<T> mine;
    for (long long first = thread_rank(tile); first < length; first += n * Width) {
      T values[n];
MUSTER_UNROLL
      for (int i = 0; i < n; ++i) values[i] = first + i * Width < length ? from[first + i * Width] : numeric<T>::lowest();
      mine.add(values);
    }
    T const maximum = reduce(Policy{}, tile, mine.maximum, muster::maximum{});
    if (maximum > mine.maximum) mine.raise_to(maximum);
    T const sum = reduce(Policy{}, tile, mine.sum, plus{});

    T const scale = T(1) / sum;
    T const log_sum = backend::natural_log(sum);
    for (long long i = thread_rank(tile); i < length; i += Width) {
      to[i] = log ? from[i] - maximum - log_sum : running_softmax<T>::term(from[i], maximum) * scale;
    }
  }
};

}  // namespace muster::tool
