// Groups that are known at run time only, and the narrowing that makes them.
#include "pairs.hpp"

namespace pairs {

// Each tile of eight for itself: its mask is computed, once.
struct own_tile_sum {
  using type = float;
  static __device__ float typed(auto warp, float v) {
    muster::each_tile(muster::tiled_partition<8>(warp), muster::with(v), [](auto tile, float& v) { v = muster::reduce(tile, v, muster::plus{}); });
    return v;
  }
  static __device__ float hand(float v) {
    unsigned const mask = 0xffu << (lane() & 24);
#pragma unroll
    for (int d = 4; d > 0; d /= 2) v += __shfl_xor_sync(mask, v, d, 8);
    return v;
  }
};

// Tiles of eight that part ways on a condition of their own.
struct tile_branch_sum {
  using type = float;
  static __device__ float typed(auto warp, float v) {
    auto const tile = muster::tiled_partition<8>(warp);
    muster::branch(tile, muster::any(tile, v > 1), muster::with(v), [](auto tile, float& v) { v = muster::reduce(tile, v, muster::plus{}); });
    return v;
  }
  static __device__ float hand(float v) {
    unsigned const mask = 0xffu << (lane() & 24);
    if ((__ballot_sync(every_lane, v > 1) & mask) != 0) {
#pragma unroll
      for (int d = 4; d > 0; d /= 2) v += __shfl_xor_sync(mask, v, d, 8);
    }
    return v;
  }
};

// A whole warp agrees: no vote beyond the one that asked, and an immediate mask inside.
struct warp_branch_sum {
  using type = float;
  static __device__ float typed(auto warp, float v) {
    muster::branch(warp, muster::any(warp, v > 1), muster::with(v), [](auto warp, float& v) { v = muster::reduce(warp, v, muster::plus{}); });
    return v;
  }
  static __device__ float hand(float v) {
    if (__any_sync(every_lane, v > 1)) {
#pragma unroll
      for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(every_lane, v, d);
    }
    return v;
  }
};

// Some lanes, found by a vote: the first of them tells the others, they add by the integer unit, they vote.
struct branch_broadcast {
  using type = int;
  static __device__ int typed(auto warp, int v) {
    muster::branch(warp, v > 0, muster::with(v), [](auto some, int& v) { v = muster::broadcast<0>(some, v); });
    return v;
  }
  static __device__ int hand(int v) {
    unsigned const mask = __ballot_sync(every_lane, v > 0);
    if (v > 0) v = __shfl_sync(mask, v, __ffs(static_cast<int>(mask)) - 1);
    return v;
  }
};
struct branch_sum_i32 {
  using type = int;
  static __device__ int typed(auto warp, int v) {
    muster::branch(warp, v > 0, muster::with(v), [](auto some, int& v) { v = muster::reduce(some, v, muster::plus{}); });
    return v;
  }
  static __device__ int hand(int v) {
    unsigned const mask = __ballot_sync(every_lane, v > 0);
    if (v > 0) v = static_cast<int>(__reduce_add_sync(mask, static_cast<unsigned>(v)));
    return v;
  }
};
struct branch_any {
  using type = int;
  static __device__ int typed(auto warp, int v) {
    muster::branch(warp, v > 0, muster::with(v), [](auto some, int& v) { v = muster::any(some, v > 7).value(); });
    return v;
  }
  static __device__ int hand(int v) {
    unsigned const mask = __ballot_sync(every_lane, v > 0);
    if (v > 0) v = __any_sync(mask, v > 7);
    return v;
  }
};

// The sum over some lanes: each follows the chain of those below it, twice as far each round, and the last one has the total.
struct branch_sum_f32 {
  using type = float;
  static __device__ float typed(auto warp, float v) {
    muster::branch(warp, v > 0, muster::with(v), [](auto some, float& v) { v = muster::reduce(some, v, muster::plus{}); });
    return v;
  }
  static __device__ float hand(float v) {
    unsigned const mask = __ballot_sync(every_lane, v > 0);
    if (v > 0) {
      int below = 31 - __clz(static_cast<int>(mask & ((1u << lane()) - 1u)));
#pragma unroll
      for (int round = 0; round < 5; ++round) {
        int const source = below < 0 ? lane() : below;
        float const received = __shfl_sync(mask, v, source);
        if (below >= 0) v += received;
        if (round < 4) below = __shfl_sync(mask, below, source);
      }
      v = __shfl_sync(mask, v, 31 - __clz(static_cast<int>(mask)));
    }
    return v;
  }
};
struct branch_scan_i32 {
  using type = int;
  static __device__ int typed(auto warp, int v) {
    muster::branch(warp, v > 0, muster::with(v), [](auto some, int& v) { v = muster::inclusive_scan(some, v, muster::plus{}); });
    return v;
  }
  static __device__ int hand(int v) {
    unsigned const mask = __ballot_sync(every_lane, v > 0);
    if (v > 0) {
      int below = 31 - __clz(static_cast<int>(mask & ((1u << lane()) - 1u)));
#pragma unroll
      for (int round = 0; round < 5; ++round) {
        int const source = below < 0 ? lane() : below;
        int const received = __shfl_sync(mask, v, source);
        if (below >= 0) v += received;
        if (round < 4) below = __shfl_sync(mask, below, source);
      }
    }
    return v;
  }
};

// A block whose size is known at launch only: its last warp is a prefix. The lanes beyond the last are never read.
struct ragged_sum {
  using type = float;
  static __device__ float typed(auto, float v) {
    auto const warp = muster::this_warp(muster::this_block());
    return muster::reduce(warp, v, muster::plus{});
  }
  static __device__ float hand(float v) {
    unsigned const volume = blockDim.x * blockDim.y * blockDim.z;
    unsigned const thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int const left = static_cast<int>(volume - (thread & ~31u));
    int const count = left < 32 ? left : 32;
    unsigned const mask = count == 32 ? every_lane : (1u << count) - 1u;
    int const here = static_cast<int>(thread & 31u);
#pragma unroll
    for (int block = 1; block < 32; block *= 2) {
      int const sibling = (here & ~(block - 1)) ^ block;
      float const received = __shfl_sync(mask, v, sibling < count ? sibling : here);
      if (sibling < count) v += received;
    }
    return v;
  }
};
struct ragged_scan {
  using type = int;
  static __device__ int typed(auto, int v) {
    auto const warp = muster::this_warp(muster::this_block());
    return muster::inclusive_scan(warp, v, muster::plus{});
  }
  static __device__ int hand(int v) {
    unsigned const volume = blockDim.x * blockDim.y * blockDim.z;
    unsigned const thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int const left = static_cast<int>(volume - (thread & ~31u));
    unsigned const mask = left >= 32 ? every_lane : (1u << left) - 1u;
#pragma unroll
    for (int d = 1; d < 32; d *= 2)
      asm volatile("{ .reg .pred p; .reg .s32 t; shfl.sync.up.b32 t|p, %0, %1, 0, %2; @p add.s32 %0, t, %0; }" : "+r"(v) : "r"(d), "r"(mask));
    return v;
  }
};

// One lane of each tile.
struct first_of_each_tile {
  using type = float;
  static __device__ float typed(auto warp, float v) {
    muster::only_rank<0>(muster::tiled_partition<8>(warp), muster::with(v), [](auto, float& v) { v *= 3; });
    return v;
  }
  static __device__ float hand(float v) {
    if ((lane() & 7) == 0) v *= 3;
    return v;
  }
};
struct one_acts_for_the_warp {
  using type = int;
  static __device__ int typed(auto warp, int v) {
    __shared__ int counter;
    return v + muster::invoke_one_broadcast(warp, [] { return atomicAdd(&counter, 32); });
  }
  static __device__ int hand(int v) {
    __shared__ int counter;
    int start = 0;
    if (lane() == 0) start = atomicAdd(&counter, 32);
    return v + __shfl_sync(every_lane, start, 0);
  }
};

// A total that only rank 0 holds, and uses.
struct held_total {
  using type = float;
  static __device__ float typed(auto warp, float v) {
    auto total = muster::reduce_to<0>(warp, v, muster::plus{});
    muster::only_rank<0>(warp, muster::with(v, total), [](auto, float& v, float& total) { v = total; });
    return v;
  }
  static __device__ float hand(float v) {
    float total = v;
#pragma unroll
    for (int d = 16; d > 0; d /= 2) total += __shfl_xor_sync(every_lane, total, d);
    if (lane() == 0) v = total;
    return v;
  }
};

// A warp that goes on as long as one of its lanes has work.
struct loop_of_the_warp {
  using type = int;
  static __device__ int typed(auto warp, int v) {
    muster::loop_while(
        warp, muster::with(v), [](auto warp, int& v) { return muster::any(warp, v > 100); },
        [](auto warp, int& v) { v -= muster::shuffle_xor<1>(warp, v) / 2; });
    return v;
  }
  static __device__ int hand(int v) {
    while (__any_sync(every_lane, v > 100)) v -= __shfl_xor_sync(every_lane, v, 1) / 2;
    return v;
  }
};

}  // namespace pairs

PAIR(own_tile_sum, pairs::own_tile_sum)                    // shfl 3, setp 0
PAIR(tile_branch_sum, pairs::tile_branch_sum)              // shfl 3, vote 1
PAIR(warp_branch_sum, pairs::warp_branch_sum)              // shfl 5, vote 1
PAIR(branch_broadcast, pairs::branch_broadcast)            // shfl 1, vote 1
PAIR(branch_sum_i32, pairs::branch_sum_i32)                // redux 1, vote 1
PAIR(branch_any, pairs::branch_any)                        // vote 2
PAIR(branch_sum_f32, pairs::branch_sum_f32)                // shfl 10, vote 1
PAIR(branch_scan_i32, pairs::branch_scan_i32)              // shfl 9, vote 1
PAIR(ragged_sum, pairs::ragged_sum)                        // shfl 5
PAIR(ragged_scan, pairs::ragged_scan)                      // shfl 5
PAIR(first_of_each_tile, pairs::first_of_each_tile)        // shfl 0
PAIR(one_acts_for_the_warp, pairs::one_acts_for_the_warp)  // shfl 1
PAIR(held_total, pairs::held_total)                        // shfl 5
PAIR(loop_of_the_warp, pairs::loop_of_the_warp)            // shfl 1, vote 1
