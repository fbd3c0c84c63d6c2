// Short rows that lie apart and begin at any of their values, a tile of lanes a row. A warp takes several of them into shared memory by the aligned vectors that cover them,
// works on them there value by value, and stores them by the same vectors: what one lane a row would read and store, far from the others, costs several times more.
#pragma once

#include <muster/backend/async_copy.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/warp.hpp>
#include <muster/device/covering_row.hpp>
#include <muster/device/softmax_kernels.hpp>
#include <muster/device/staged_row.hpp>
#include <muster/device/vector.hpp>

MUSTER_BEGIN

namespace device::detail {

inline constexpr int bank_bytes = 128;  // of all banks of shared memory

// A warp's rows in shared memory: each begins there at a vector of its own, as far past it as in memory.
struct staged_rows {
  int rows, columns;
  int vectors;       // of a row
  unsigned inverse;  // floor(2^20 / vectors) + 1

  MUSTER_FN staged_rows(int rows_, int columns_, int values_of_vector)
      : rows(rows_), columns(columns_), vectors(most_covering(columns_, values_of_vector)), inverse((1u << 20) / static_cast<unsigned>(vectors) + 1) {}

  MUSTER_FN int total() const { return rows * vectors; }
  // i / vectors: exact as long as total() * vectors stays below 2^20.
  MUSTER_FN int row_of(int i) const { return static_cast<int>(static_cast<unsigned>(i) * inverse >> 20); }
};

// The warp's lanes begin to copy rows of `from`, the first of which begins at `first`; vectors that reach beyond the matrix are copied value by value.
template <class T>
MUSTER_FN void stage(int lane, staged_rows const& there, T const* first, matrix<T const> const& from, vector* staged) {
  constexpr int n = vector_size<T>;
  T const* const end = from.data + ((from.rows - 1) * from.stride + from.columns);
  for (int i = lane; i < there.total(); i += warp_size) {
    int const row = there.row_of(i);
    T const* const values = first + row * from.stride;
    int const c = (i - row * there.vectors) * n - values_before<vector_bytes>(values);
    if (c >= there.columns) continue;
    T const* const at = values + c;
    if (at >= from.data && at + n <= end) {
      backend::copy_16_bytes(&staged[i], at);
    } else {
      T* const to = reinterpret_cast<T*>(&staged[i]);
MUSTER_UNROLL
      for (int j = 0; j < n; ++j)
        if (c + j >= 0 && c + j < there.columns) to[j] = at[j];
    }
  }
}

// Stores them.
template <class T>
MUSTER_FN void store_staged(int lane, staged_rows const& there, T* first, long long stride, vector const* staged) {
  constexpr int n = vector_size<T>;
  for (int i = lane; i < there.total(); i += warp_size) {
    int const row = there.row_of(i);
    T* const values = first + row * stride;
    int const c = (i - row * there.vectors) * n - values_before<vector_bytes>(static_cast<T const*>(values));
    if (c >= there.columns) continue;
    T* const to = values + c;
    vector const v = staged[i];
    int const begin = c < 0 ? -c : 0, end = c + n > there.columns ? there.columns - c : n;
    if (begin == 0 && end == n) {
      store_packed(to, v);
    } else if (begin == 0 || end == n) {
      store_end<T>(to, v, begin * static_cast<int>(sizeof(T)), end * static_cast<int>(sizeof(T)));
    } else {
MUSTER_UNROLL
      for (int j = 0; j < n; ++j)
        if (j >= begin && j < end) to[j] = value_at<T>(v, j);
    }
  }
}

// A tile of Lanes lanes a row, Slots values a lane; a warp takes Groups rows for each of its tiles. Values of Bytes bytes; input and output are in phase.
template <class Result, int Bytes, int Lanes, int Slots, int Groups, int Threads>
struct softmax_by_staged_tiles {
  static constexpr int tiles = warp_size / Lanes, rows_of_warp = tiles * Groups, vectors_of_row = most_covering(Lanes * Slots, vector_bytes / Bytes);
  static_assert(rows_of_warp * vectors_of_row * vectors_of_row < 1 << 20);
  struct shared {
    vector staged[Threads / warp_size][rows_of_warp * vectors_of_row];
  };

  template <class In, class Out, class Load, class Store>
  MUSTER_FN void operator()(auto b, shared& s, matrix<In const> in, matrix<Out> out, Load load, Store store) const {
    using A = computed<In>;
    auto const warp = this_warp(b);
    auto const tile = tiled_partition<Lanes>(warp);
    using row_type = staged_row<In, Lanes, Slots>;
    int const lane = thread_rank(warp), own_tile = meta_group_rank(tile).value(), columns = static_cast<int>(in.columns);
    long long const first = (static_cast<long long>(block_rank(b).value()) * (Threads / warp_size) + warp_rank(b)) * rows_of_warp, left = in.rows - first;
    int const rows = left <= 0 ? 0 : left < rows_of_warp ? static_cast<int>(left) : rows_of_warp;
    In const* const from = in.data + first * in.stride;
    vector* const staged = s.staged[warp_rank(b)];
    staged_rows const there(rows, columns, vector_size<In>);
    stage(lane, there, from, in, staged);
    backend::wait_for_copies();
    sync(warp);

    // Rows that begin in the same bank are read from other values on, tile by tile.
    int const pitch = there.vectors * vector_bytes, alike = pitch & -pitch;
    int const rotation = own_tile * (alike < bank_bytes ? alike : bank_bytes) / bank_bytes * Lanes;
    for (int g = 0; g < Groups; ++g) {
      if (g * tiles >= rows) break;
      int const own = g * tiles + own_tile;
      long long const row = first + own;
      bool const exists = own < rows;
      int const place = exists ? own * there.vectors * vector_size<In> + values_before<vector_bytes>(from + own * in.stride) : 0;
      row_type mine;
      mine.read(reinterpret_cast<In const*>(staged) + place, exists ? columns : 0, rotation < columns ? rotation : 0, thread_rank(tile));
      lane_values<Result, row_type, In, Load> values(mine, {nullptr, 0, row, 0}, load);
      A weight;
      auto const sum = tile_fold<Result, decltype(tile)>{tile}(values, weight);
      if constexpr (Result::writes_values) {
        values.write(sum, weight, span_of_row<Out>{reinterpret_cast<Out*>(staged) + place, 0, row, 0}, store);
      } else {
        if (exists && thread_rank(tile) == 0) out.data[row * out.stride] = static_cast<Out>(store(sum.logarithm(), row, 0));
      }
    }
    if constexpr (Result::writes_values) {
      sync(warp);
      store_staged(lane, there, out.data + first * out.stride, out.stride, staged);
    }
  }
};

}  // namespace device::detail

MUSTER_END
