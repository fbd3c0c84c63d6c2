// Rows that lie one after the other from any address on, a tile of lanes a row: a vector of the output can hold the end of one row and the beginning
// of the next, or several rows. A warp puts its rows together in shared memory and stores whole vectors: what many partial sectors would cost L2 is several times more.
#pragma once

#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/warp.hpp>
#include <muster/device/covering_row.hpp>
#include <muster/device/softmax_kernels.hpp>

MUSTER_BEGIN

namespace device::detail {

// Stores `count` values, which lie in shared memory as far past a line as `to` does, from the warp's lanes.
template <class Out>
MUSTER_FN void store_together(any_tile auto warp, Out* to, in_shared staged, int count) {
  constexpr int per_vector = vector_size<Out>;
  int const before = values_before<line_bytes>(static_cast<Out const*>(to));
  int const vectors = (before + count + per_vector - 1) / per_vector;
  for (int v = thread_rank(warp); v < vectors; v += warp_size) {
    int const c = v * per_vector - before;
    if (c <= -per_vector) continue;  // before the first, in its line
    vector const value = *reinterpret_cast<vector const*>(staged.base + in_shared::permuted(v * vector_bytes));
    int const begin = c < 0 ? -c : 0, end = c + per_vector > count ? count - c : per_vector;
    if (begin == 0 && end == per_vector) {
      store_packed(to + c, value);
    } else if (begin == 0 || end == per_vector) {
      store_end<Out>(to + c, value, begin * static_cast<int>(sizeof(Out)), end * static_cast<int>(sizeof(Out)));
    } else {
MUSTER_UNROLL
      for (int i = 0; i < per_vector; ++i)
        if (i >= begin && i < end) to[c + i] = value_at<Out>(value, i);
    }
  }
}

// As softmax_by_tiles; the rows of a warp are neighbours.
template <class Result, int Lanes, int Slots, int RowsInFlight, int Threads>
struct softmax_by_covering_tiles {
  static constexpr int tiles = warp_size / Lanes;
  struct shared {
    vector staged[Threads / warp_size][warp_size * Slots + 8];  // whole rows of banks
  };

  template <class In, class Out, class Load, class Store>
  MUSTER_FN void operator()(auto b, shared& s, matrix<In const> in, matrix<Out> out, Load load, Store store) const {
    using A = computed<In>;
    using row_type = covering_row<In, Lanes, Slots>;
    auto const warp = this_warp(b);
    auto const tile = tiled_partition<Lanes>(warp);
    int const rank = thread_rank(tile);
    long long const first = (static_cast<long long>(block_rank(b).value()) * (Threads / warp_size) + warp_rank(b)) * (tiles * RowsInFlight);
    int const columns = static_cast<int>(in.columns);
    row_type mine[RowsInFlight];
MUSTER_UNROLL
    for (int i = 0; i < RowsInFlight; ++i) {
      long long const row = first + i * tiles + meta_group_rank(tile).value();
      mine[i].read({in.data + row * in.stride, row < in.rows ? columns : 0, row, 0}, in, rank);
    }
    bool const together = out.stride == out.columns;
    in_shared const staged{reinterpret_cast<char*>(s.staged[warp_rank(b)])};
MUSTER_UNROLL
    for (int i = 0; i < RowsInFlight; ++i) {
      long long const first_now = first + i * tiles, row = first_now + meta_group_rank(tile).value();
      Out* const to = out.data + first_now * out.stride;
      mine[i].settle();
      lane_values<Result, row_type, In, Load> values(mine[i], {nullptr, 0, row, 0}, load);
      A weight;
      auto const sum = tile_fold<Result, decltype(tile)>{tile}(values, weight);
      if (together) {
        long long const left = in.rows - first_now;
        int const rows = left < 0 ? 0 : left < tiles ? static_cast<int>(left) : tiles;
        Out* const place = reinterpret_cast<Out*>(staged.base) + values_before<line_bytes>(static_cast<Out const*>(to)) + meta_group_rank(tile).value() * columns;
        values.write(sum, weight, span_of_row<Out>{place, 0, row, 0}, store, staged);
        sync(warp);
        store_together(warp, to, staged, rows * columns);
        sync(warp);
      } else {
        values.write(sum, weight, span_of_row<Out>{out.data + row * out.stride, 0, row, 0}, store);
      }
    }
  }
};

}  // namespace device::detail

MUSTER_END
