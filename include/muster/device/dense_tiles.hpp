// Rows that lie one after the other, or nearly, from any address on. What a warp takes is one run of memory, which it brings to shared memory by whole vectors, and back if
// there is nothing between rows; there rows are worked on by the word. Lanes that read short rows from memory by themselves cost L1 several times more, and the edges of
// longer ones many instructions.
#pragma once

#include <cstdint>
#include <type_traits>

#include <muster/backend/async_copy.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/warp.hpp>
#include <muster/device/covering_row.hpp>
#include <muster/device/dense_row.hpp>
#include <muster/device/lane_row.hpp>
#include <muster/device/lane_values.hpp>
#include <muster/device/softmax_kernels.hpp>
#include <muster/device/vector.hpp>

MUSTER_BEGIN

namespace device::detail {

// `count` values from `first` on, which begin `before` values behind the beginning of a line for stage, of a vector for store, and so many behind that of `staged`.
template <class T>
struct run_of_values {
  static constexpr int n = vector_size<T>;
  T* first;
  int count;
  int before;

  // f(vector) for the warp's lanes and the vectors of [begin, end), f(value) for the values that these leave. Vectors are counted without a sign: nvcc 13.0 takes five
  // instructions less for each address.
  template <class OfVector, class OfValue>
  MUSTER_FN void for_each(int lane, int begin, int end, OfVector const& of_vector, OfValue const& of_value) const {
    for (unsigned v = static_cast<unsigned>(lane < begin ? lane + warp_size : lane); v < static_cast<unsigned>(end); v += warp_size) of_vector(v);
    if (before + lane < begin * n && lane < count) of_value(lane);
    int const value = (end > begin ? end : begin) * n - before + lane;
    if (value < count && value >= 0) of_value(value);
  }

  // The lanes begin to copy it to shared memory; vectors that it fills in part can be read where others like it are before or behind it.
  MUSTER_FN void stage(int lane, vector* staged, bool any_before, bool any_behind) const {
    auto const* const line = reinterpret_cast<vector const*>(first - before);
    int const begin = any_before ? before / n : (before + n - 1) / n, end = any_behind ? (before + count + n - 1) / n : (before + count) / n;
    for_each(lane, begin, end, [&](unsigned v) { backend::copy_16_bytes(&staged[v], line + v); },
             [&](int value) { reinterpret_cast<std::remove_const_t<T>*>(staged)[before + value] = first[value]; });
  }

  // They store it.
  MUSTER_FN void store(int lane, vector const* staged) const {
    auto* const vectors = reinterpret_cast<vector*>(first - before);
    for_each(lane, (before + n - 1) / n, (before + count) / n, [&](unsigned v) { store_packed(vectors + v, staged[v]); },
             [&](int value) { first[value] = reinterpret_cast<T const*>(staged)[before + value]; });
  }
};

// How many words cover any row. An even number of columns, each row of which begins at a word, is covered by half of them; else one more is needed.
template <class In>
MUSTER_FN int words_of_rows(matrix<In const> const& in) {
  int const columns = static_cast<int>(in.columns);
  if constexpr (sizeof(In) == 4) return columns;
  else return (columns + 1) / 2 + (columns % 2 != 0 ? 0 : in.stride % 2 != 0 ? 1 : values_before<4>(in.data));
}

// The warp's lanes store rows of so many columns, and not what is between them: value by value, neighbours in memory by neighbouring lanes.
template <class T>
MUSTER_FN void store_apart(int lane, T const* staged, long long staged_stride, T* to, long long stride, int columns, int count) {
  unsigned const inverse = (1u << 24) / static_cast<unsigned>(columns) + 1;  // exact: count * columns is below 2^24, and there are less than 2^8 rows
  for (int i = lane; i < count; i += warp_size) {
    int const row = static_cast<int>(static_cast<unsigned>(i) * inverse >> 24);
    to[row * (stride - columns) + i] = staged[row * (static_cast<int>(staged_stride) - columns) + i];
  }
}

// A tile of Lanes lanes a row, Slots accesses of Words words a lane; a warp takes Groups rows for each of its tiles. Input and output are in phase. As many words as a lane
// has cover a row and what is between it and the next, and at least Fewest cover a row.
template <class Result, int Lanes, int Slots, int Words, int Fewest, int Groups, int Threads>
struct softmax_by_dense_tiles {
  static constexpr int tiles = warp_size / Lanes, rows_of_warp = tiles * Groups;
  static constexpr int vectors_of_warp = (rows_of_warp * Lanes * Slots * Words + 3) / 4;
  static_assert(rows_of_warp < 1 << 8 && rows_of_warp * (2 * Lanes * Slots * Words) * (2 * Lanes * Slots * Words) < 1 << 24, "as store_apart asks");
  struct shared {
    // Some vectors are before the run; some are read behind it, and not used.
    vector staged[Threads / warp_size][vectors_of_warp + line_bytes / vector_bytes + (Lanes * Words + 3) / 4];
  };

  template <class In, class Out, class Load, class Store>
  MUSTER_FN void operator()(auto b, shared& s, matrix<In const> in, matrix<Out> out, Load load, Store store) const {
    using A = computed<In>;
    using row_type = dense_row<In, Lanes, Slots, Words, Fewest>;
    auto const warp = this_warp(b);
    auto const tile = tiled_partition<Lanes>(warp);
    int const lane = thread_rank(warp), own_tile = meta_group_rank(tile).value(), columns = static_cast<int>(in.columns), stride = static_cast<int>(in.stride);
    long long const first = (static_cast<long long>(block_rank(b).value()) * (Threads / warp_size) + warp_rank(b)) * rows_of_warp, left = in.rows - first;
    int const rows = left <= 0 ? 0 : left < rows_of_warp ? static_cast<int>(left) : rows_of_warp;
    int const most_words = words_of_rows(in);
    vector* const staged = s.staged[warp_rank(b)];
    std::uint32_t* const words = reinterpret_cast<std::uint32_t*>(staged);
    In const* const from = in.data + first * in.stride;
    run_of_values<In const> const run{from, rows == 0 ? 0 : (rows - 1) * stride + columns, values_before<line_bytes>(from)};
    run.stage(lane, staged, first * in.stride >= vector_size<In>, left > rows_of_warp && (left - rows_of_warp) * in.stride >= vector_size<In>);
    backend::wait_for_copies();
    sync(warp);
    for (int g = 0; g < Groups; ++g) {
      if (g * tiles >= rows) break;
      int const own = g * tiles + own_tile;
      bool const exists = own < rows;
      long long const row = first + own;
      int const place = run.before + (exists ? own : 0) * stride;
      row_type mine;
      mine.read(words, place, exists ? columns : 0, most_words, thread_rank(tile));
      lane_values<Result, row_type, In, Load> values(mine, {nullptr, 0, row, 0}, load);
      A weight;
      auto const sum = tile_fold<Result, decltype(tile)>{tile}(values, weight);
      if constexpr (Result::writes_values) {
        sync(warp);  // rows share words
        if (exists) values.write(sum, weight, span_of_row<Out>{nullptr, 0, row, 0}, store, words, place);
        sync(warp);
      } else {
        if (exists && thread_rank(tile) == 0) out.data[row * out.stride] = static_cast<Out>(store(sum.logarithm(), row, 0));
      }
    }
    if constexpr (Result::writes_values) {
      Out* const to = out.data + first * out.stride;
      if (in.stride == columns && out.stride == columns) run_of_values<Out>{to, run.count, run.before}.store(lane, staged);
      else store_apart(lane, reinterpret_cast<Out const*>(staged) + run.before, in.stride, to, out.stride, columns, rows * columns);
    }
  }
};

}  // namespace device::detail

MUSTER_END
