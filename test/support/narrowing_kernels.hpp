// The kernels of the narrowing tests in the form that strict scopes ask for: bodies capture nothing, state travels through with(...).
#pragma once

#include <muster/muster.hpp>

namespace test {

// only, with and without otherwise, on tiles; out: which side, and the sum of its ranks' thread numbers.
struct only_kernel {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const tile = muster::tiled_partition<8>(muster::this_warp(block));
    int const thread = muster::thread_rank(block);
    int result = -1;
    muster::only<muster::lane_set{0x0f0f0f0f}>(
        tile, muster::with(thread, result), [](auto tile, int const& thread, int& result) { result = muster::reduce(tile, thread, muster::plus{}); },
        [](auto tile, int const& thread, int& result) { result = 1000 + muster::reduce(tile, thread, muster::plus{}); });
    muster::only<muster::lane_set{0x1}>(tile, muster::with(result), [](auto tile, int& result) { result += muster::num_threads(tile) * 10000; });
    out[thread] = result;
  }
};

// only_rank opens what reduce_to<3> holds; broadcast gives it to all.
struct held_kernel {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const tile = muster::tiled_partition<8>(muster::this_warp(block));
    int const thread = muster::thread_rank(block);
    auto held = muster::reduce_to<3>(tile, thread, muster::plus{});
    int opened = -1;
    muster::only_rank<3>(tile, muster::with(held, opened), [](auto, int& sum, int& opened) { opened = ++sum; });
    out[2 * thread] = opened;
    out[2 * thread + 1] = held.broadcast(tile);
  }
};

// Sides of a branch on a uniform condition: tiles with an odd number; `return` ends the body only.
struct uniform_branch_kernel {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const tile = muster::tiled_partition<4>(muster::this_warp(block));
    int const thread = muster::thread_rank(block);
    int result = -1;
    auto const is_odd = muster::meta_group_rank(tile) % muster::constant<2>{} == muster::constant<1>{};
    muster::branch(
        tile, is_odd, muster::with(thread, result),
        [](auto tile, int const& thread, int& result) {
          result = muster::inclusive_scan(tile, thread, muster::plus{});
          if (result >= 0) return;
          result = -2;
        },
        [](auto tile, int const&, int& result) { result = -muster::num_threads(tile); });
    out[thread] = result;
  }
};

// Tiles of two lanes stride over rows, so that some take one trip more than others.
struct rows_by_tile_kernel {
  MUSTER_FN void operator()(auto block, int rows, int* out) const {
    auto const tile = muster::tiled_partition<2>(muster::this_warp(block));
    int row = muster::meta_group_rank(tile).value();
    muster::each_tile(tile, muster::with(row, rows, out), [](auto tile, int& row, int const& rows, int* const& out) {
      muster::loop_while(
          tile, muster::with(row, rows, out), [](auto tile, int& row, int const& rows, int* const&) { return muster::as_uniform(tile, row < rows); },
          [](auto tile, int& row, int const&, int* const& out) {
            out[row] = muster::reduce(tile, 2 * row + muster::thread_rank(tile), muster::maximum{});
            row += 16;
          });
    });
  }
};

// Lanes leave a loop one by one; on each trip the remaining ones count themselves.
struct leaving_loop_kernel {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    int trips = muster::thread_rank(warp) % 5, counted = 0;
    muster::loop_while(
        warp, muster::with(trips, counted), [](auto, int& trips, int&) { return trips > 0; },
        [](auto remaining, int& trips, int& counted) {
          counted += muster::num_threads(remaining).value();
          --trips;
        });
    out[muster::thread_rank(block)] = counted;
  }
};

// Which warp, and how many lanes it has, by for_warps and only_warp; a block whose last warp is ragged.
struct warps_kernel {
  MUSTER_FN void operator()(auto block, int* out) const {
    int const thread = muster::thread_rank(block);
    int lanes = -1, second = 0;
    muster::for_warps(
        block, muster::with(lanes), [](auto warp, int& lanes) { lanes = muster::reduce(warp, 1, muster::plus{}); },
        [](auto warp, int& lanes) { lanes = 100 + muster::reduce(warp, 1, muster::plus{}); });
    muster::only_warp<1>(block, muster::with(second), [](auto warp, int& second) { second = muster::reduce(warp, 1, muster::plus{}); });
    out[2 * thread] = lanes;
    out[2 * thread + 1] = second;
  }
};

}  // namespace test
