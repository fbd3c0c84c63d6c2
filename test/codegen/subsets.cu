// Folds over a part of the warp that is known at compile time: masks are immediates, and no lane computes one.
#include "pairs.hpp"

namespace pairs {

// The sum over the lanes S of a warp, in tiles of Width, left to `typed` of each pair; the other lanes keep what they have.
template <muster::lane_set S, int Width, class T, class Op>
__device__ T fold_of(auto warp, T v, Op) {
  muster::only<S>(muster::tiled_partition<Width>(warp), muster::with(v),
                  [](auto some, T& v) { v = muster::reduce(muster::policy::shuffle, some, v, Op{}); });
  return v;
}

struct half_warp_sum {
  using type = float;
  static __device__ float typed(auto warp, float v) { return fold_of<muster::lane_set{0xffff}, 32>(warp, v, muster::plus{}); }
  static __device__ float hand(float v) {
    if (lane() < 16) {
#pragma unroll
      for (int d = 8; d > 0; d /= 2) v += __shfl_xor_sync(0xffffu, v, d);
    }
    return v;
  }
};

// Half a warp by the integer unit.
struct half_warp_sum_i32 {
  using type = int;
  static __device__ int typed(auto warp, int v) {
    muster::only<muster::lane_set{0xffff}>(warp, muster::with(v), [](auto half, int& v) { v = muster::reduce(half, v, muster::plus{}); });
    return v;
  }
  static __device__ int hand(int v) {
    if (lane() < 16) v = static_cast<int>(__reduce_add_sync(0xffffu, static_cast<unsigned>(v)));
    return v;
  }
};

// Lanes 0, 3, 4, 9, 17 and 30 in a binary tree: (0 3)(4 9)(17 30), then ((0 3)(4 9)), then all. Where each lane reads stands in a table, five bits a round.
__device__ constexpr unsigned six_sources[32] = {
    3 | 4 << 5 | 17 << 10, 0, 0, 0 | 4 << 5 | 17 << 10, 9 | 0 << 5 | 17 << 10, 0, 0, 0, 0, 4 | 0 << 5 | 17 << 10, 0, 0, 0, 0, 0, 0, 0,
    30 | 31 << 5 | 0 << 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 17 | 31 << 5 | 0 << 10, 0};
struct six_lanes_sum {
  using type = float;
  static constexpr unsigned six = 0x40020219u;
  static __device__ float typed(auto warp, float v) { return fold_of<muster::lane_set{six}, 32>(warp, v, muster::plus{}); }
  static __device__ float hand(float v) {
    if ((six >> lane() & 1u) != 0) {
      unsigned const sources = six_sources[lane()];
      v += __shfl_sync(six, v, static_cast<int>(sources & 31));
      // 17 and 30 take nothing in the second round: their operand lies above the clamp, so the predicate is false.
      asm volatile("{ .reg .pred p; .reg .f32 t; shfl.sync.idx.b32 t|p, %0, %1, 30, %2; @p add.f32 %0, t, %0; }" : "+f"(v) : "r"(sources >> 5 & 31), "n"(six));
      v += __shfl_sync(six, v, static_cast<int>(sources >> 10));
    }
    return v;
  }
};

// The first six lanes of each tile of eight. Pairs; the pairs of the first four; then the first four lanes read lane 4, the others lane 0.
struct six_of_eight_sum {
  using type = float;
  static constexpr unsigned members = 0x3f3f3f3fu;
  static __device__ float typed(auto warp, float v) { return fold_of<muster::lane_set{members}, 8>(warp, v, muster::plus{}); }
  static __device__ float hand(float v) {
    if ((lane() & 7) < 6) {
      v += __shfl_xor_sync(members, v, 1);
      // From lanes 4 and 5 the exchange would reach 6 and 7, which the clamp leaves out of range.
      asm volatile("{ .reg .pred p; .reg .f32 t; shfl.sync.bfly.b32 t|p, %0, 2, %1, %2; @p add.f32 %0, t, %0; }" : "+f"(v) : "n"(24 << 8 | 5), "n"(members));
      v += __shfl_sync(members, v, (lane() & 4) ^ 4, 8);
    }
    return v;
  }
};

// The maximum of a prefix of eleven lanes: windows of 1, 2, 4, 8 lanes around a ring of eleven cover it, and folding a value twice does no harm.
struct prefix_maximum {
  using type = int;
  static __device__ int typed(auto warp, int v) { return fold_of<muster::lane_set{0x7ff}, 32>(warp, v, muster::maximum{}); }
  static __device__ int hand(int v) {
    if (lane() < 11) {
#pragma unroll
      for (int d = 1; d < 11; d *= 2) {
        int const source = lane() + d;
        v = max(v, __shfl_sync(0x7ffu, v, source < 11 ? source : source - 11));
      }
    }
    return v;
  }
};
struct prefix_maximum_by_redux {
  using type = int;
  static __device__ int typed(auto warp, int v) {
    muster::only<muster::lane_set{0x7ff}>(warp, muster::with(v), [](auto some, int& v) { v = muster::reduce(some, v, muster::maximum{}); });
    return v;
  }
  static __device__ int hand(int v) {
    if (lane() < 11) v = __reduce_max_sync(0x7ffu, v);
    return v;
  }
};

// Every fourth lane, and the odd ones.
struct every_fourth_sum {
  using type = float;
  static __device__ float typed(auto warp, float v) { return fold_of<muster::lane_set{0x11111111u}, 32>(warp, v, muster::plus{}); }
  static __device__ float hand(float v) {
    if ((lane() & 3) == 0) {
#pragma unroll
      for (int d = 4; d < 32; d *= 2) v += __shfl_xor_sync(0x11111111u, v, d);
    }
    return v;
  }
};
struct odd_lanes_sum {
  using type = double;
  static __device__ double typed(auto warp, double v) { return fold_of<muster::lane_set{0xaaaaaaaau}, 32>(warp, v, muster::plus{}); }
  static __device__ double hand(double v) {
    if ((lane() & 1) != 0) {
#pragma unroll
      for (int d = 2; d < 32; d *= 2) v += __shfl_xor_sync(0xaaaaaaaau, v, d);
    }
    return v;
  }
};

// Lanes 8 to 23: the last exchange is between 8..15 and 16..23.
struct middle_sum {
  using type = float;
  static __device__ float typed(auto warp, float v) { return fold_of<muster::lane_set::range(8, 16), 32>(warp, v, muster::plus{}); }
  static __device__ float hand(float v) {
    if (static_cast<unsigned>(lane() - 8) < 16u) {
#pragma unroll
      for (int d = 1; d < 8; d *= 2) v += __shfl_xor_sync(0x00ffff00u, v, d);
      v += __shfl_xor_sync(0x00ffff00u, v, 24);
    }
    return v;
  }
};

// The running sum of the first eleven lanes.
struct prefix_scan {
  using type = int;
  static __device__ int typed(auto warp, int v) {
    muster::only<muster::lane_set{0x7ff}>(warp, muster::with(v), [](auto some, int& v) { v = muster::inclusive_scan(some, v, muster::plus{}); });
    return v;
  }
  static __device__ int hand(int v) {
    if (lane() < 11) {
#pragma unroll
      for (int d = 1; d < 11; d *= 2)
        asm volatile("{ .reg .pred p; .reg .s32 t; shfl.sync.up.b32 t|p, %0, %1, 0, 0x7ff; @p add.s32 %0, t, %0; }" : "+r"(v) : "r"(d));
    }
    return v;
  }
};

// The first three lanes of each tile of four: the last row of a small matrix has no fourth column. Members 0 and 1 add first.
struct three_of_four_sum {
  using type = float;
  static constexpr unsigned members = 0x77777777u;
  static __device__ float typed(auto warp, float v) { return fold_of<muster::lane_set{members}, 4>(warp, v, muster::plus{}); }
  static __device__ float hand(float v) {
    if ((lane() & 3) < 3) {
      asm volatile("{ .reg .pred p; .reg .f32 t; shfl.sync.bfly.b32 t|p, %0, 1, %1, %2; @p add.f32 %0, t, %0; }" : "+f"(v) : "n"(28 << 8 | 2), "n"(members));
      v += __shfl_sync(members, v, (lane() & 2) ^ 2, 4);
    }
    return v;
  }
};

}  // namespace pairs

PAIR(half_warp_sum, pairs::half_warp_sum)                      // shfl 4
PAIR(half_warp_sum_i32, pairs::half_warp_sum_i32)              // redux 1, shfl 0
PAIR(six_lanes_sum, pairs::six_lanes_sum)                      // shfl 3
PAIR(six_of_eight_sum, pairs::six_of_eight_sum)                // shfl 3
PAIR(three_of_four_sum, pairs::three_of_four_sum)              // shfl 2
PAIR(prefix_maximum, pairs::prefix_maximum)                    // shfl 4
PAIR(prefix_maximum_by_redux, pairs::prefix_maximum_by_redux)  // redux 1, shfl 0
PAIR(every_fourth_sum, pairs::every_fourth_sum)                // shfl 3
PAIR(odd_lanes_sum, pairs::odd_lanes_sum)                      // shfl 8
PAIR(middle_sum, pairs::middle_sum)                            // shfl 4
PAIR(prefix_scan, pairs::prefix_scan)                          // shfl 4
