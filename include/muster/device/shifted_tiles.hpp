// Rows of one vector a lane that lie one after the other from an address that is no multiple of 16 on. What a block takes is one run: each lane reads and writes aligned
// vectors of it, and passes its neighbour what is the neighbour's, so that no vector is written in parts but at the run's ends.
#pragma once


#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/warp.hpp>
#include <muster/device/covering_row.hpp>
#include <muster/device/shifted_row.hpp>
#include <muster/device/softmax_kernels.hpp>
#include <muster/primitive/shuffle.hpp>

MUSTER_BEGIN

namespace device::detail {

// The values of an aligned vector, of which only those at [begin, end) may be read.
template <class T>
MUSTER_FN vector load_within(T const* from, T const* begin, T const* end) {
  if (from >= begin && from + vector_size<T> <= end) return load_packed<vector_bytes>(from);
  vector v = lowest_packed<T, vector_size<T>>();
MUSTER_UNROLL
  for (int i = 0; i < vector_size<T>; ++i)
    if (from + i >= begin && from + i < end) put_value(v, i, from[i]);
  return v;
}

// A tile of Lanes lanes a row of as many vectors; a warp takes Groups rows for each of its tiles. Input and output are in phase, and not aligned.
template <class Result, int Lanes, int Groups, int Threads>
struct softmax_by_shifted_tiles {
  static constexpr int tiles = warp_size / Lanes, rows_of_warp = tiles * Groups, warps = Threads / warp_size;
  struct shared {
    vector last[warps];  // of the results of each warp
  };

  template <class In, class Out, class Load, class Store>
  MUSTER_FN void operator()(auto b, [[maybe_unused]] shared& s, matrix<In const> in, matrix<Out> out, Load load, Store store) const {
    using A = computed<In>;
    constexpr int n = vector_size<In>;
    auto const warp = this_warp(b);
    auto const tile = tiled_partition<Lanes>(warp);
    int const lane = thread_rank(warp), own_warp = warp_rank(b), own_tile = meta_group_rank(tile).value();
    long long const first = (static_cast<long long>(block_rank(b).value()) * warps + own_warp) * rows_of_warp, left = in.rows - first;
    int const rows = left <= 0 ? 0 : left < rows_of_warp ? static_cast<int>(left) : rows_of_warp;
    int const before = values_before<vector_bytes>(in.data), shift = before * static_cast<int>(sizeof(In));
    int const vectors = rows * Lanes;  // and a part of one more
    In const* const from = in.data + first * in.columns - before;
    In const* const end = in.data + in.rows * in.columns;
    [[maybe_unused]] Out* const to = out.data + first * out.columns - before;

    vector raw[Groups + 1];
MUSTER_UNROLL
    for (int g = 0; g <= Groups; ++g) {
      int const v = g * warp_size + lane;
      raw[g] = rows > 0 && v <= vectors && (g < Groups || lane == 0) ? load_within(from + v * n, in.data, end) : lowest_packed<In, n>();
    }
    vector first_results{}, last_results{};  // of the first lane, and of the last lane in the group before
MUSTER_UNROLL
    for (int g = 0; g < Groups; ++g) {
      long long const row = first + g * tiles + own_tile;
      bool const exists = row < in.rows;
      vector const next = shuffle(warp, lane == 0 ? raw[g + 1] : raw[g], (lane + 1) % warp_size);
      shifted_row<In> mine(shifted<In>(raw[g], next, shift), thread_rank(tile), exists ? static_cast<int>(in.columns) : 0);
      lane_values<Result, shifted_row<In>, In, Load> values(mine, {nullptr, 0, row, 0}, load);
      A weight;
      auto const sum = tile_fold<Result, decltype(tile)>{tile}(values, weight);
      if constexpr (Result::writes_values) {
        values.write(sum, weight, span_of_row<Out>{nullptr, 0, row, 0}, store);
        vector const own = mine.get(0), neighbours = shuffle(warp, own, (lane + warp_size - 1) % warp_size);
        vector const results = shifted<Out>(lane == 0 ? last_results : neighbours, own, vector_bytes - shift);
        if (g == 0) first_results = own;
        last_results = neighbours;
        int const v = g * warp_size + lane;
        if (v > 0 && v < vectors) store_packed(to + v * n, results);
        else if (v > 0 && v == vectors) store_end<Out>(to + v * n, results, 0, shift);
      } else {
        if (exists && thread_rank(tile) == 0) out.data[row * out.stride] = static_cast<Out>(store(sum.logarithm(), row, 0));
      }
    }
    if constexpr (Result::writes_values) {
      // The vector in which a warp's rows begin holds the end of those of the warp before.
      if (lane == 0) s.last[own_warp] = last_results;
      sync(b);
      if (lane != 0 || rows == 0) return;
      if (own_warp > 0) store_packed(to, shifted<Out>(s.last[own_warp - 1], first_results, vector_bytes - shift));
      else store_end<Out>(to, shifted<Out>(first_results, first_results, vector_bytes - shift), shift, vector_bytes);
      if (vectors == Groups * warp_size && (own_warp == warps - 1 || left == rows))
        store_end<Out>(to + vectors * n, shifted<Out>(last_results, last_results, vector_bytes - shift), 0, shift);
    }
  }
};

}  // namespace device::detail

MUSTER_END
