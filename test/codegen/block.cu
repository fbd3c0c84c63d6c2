// Algorithms of a whole block of 256 threads, beside what somebody writes by hand who knows how the block's warps meet best (bench/block.cpp).
#include "pairs.hpp"

namespace pairs::of_blocks {

// Compared with other unsigned numbers here.
__device__ inline unsigned lane() { return threadIdx.x & 31u; }

// Sum of floats: tiles of 8 by shuffles; then two lanes of the first warp have 16 of the 32 partials each, fold what they have, and all read the result.
__device__ inline float sum_of_256(float* partial, float* result, float v) {
#pragma unroll
  for (int d = 1; d < 8; d *= 2) v += __shfl_xor_sync(every_lane, v, d);
  if (threadIdx.x % 8 == 0) partial[threadIdx.x / 8 / 16 * 20 + threadIdx.x / 8 % 16] = v;  // 20: no two lanes begin in the same banks
  __syncthreads();
  if (threadIdx.x < 32) {
    float sum[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float4 const read = reinterpret_cast<float4 const*>(partial)[lane() % 2 * 5 + i];
      sum[i] = (read.x + read.y) + (read.z + read.w);
    }
    float all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    all += __shfl_xor_sync(every_lane, all, 1);
    if (lane() == 0) *result = all;
  }
  __syncthreads();
  return *result;
}
struct sum_f32 {
  using type = float;
  static __device__ float typed(auto block, auto& meeting, float v) { return muster::reduce(block, meeting, v, muster::plus{}); }
  static __device__ float hand(float v) {
    __shared__ alignas(16) float partial[40];
    __shared__ float result;
    return sum_of_256(partial, &result, v);
  }
};

// Sum of integers: the reduction unit folds a warp, each lane the eight warps.
struct sum_i32 {
  using type = int;
  static __device__ int typed(auto block, auto& meeting, int v) { return muster::reduce(block, meeting, v, muster::plus{}); }
  static __device__ int hand(int v) {
    __shared__ alignas(16) int partial[8];
    __syncthreads();
    v = static_cast<int>(__reduce_add_sync(every_lane, static_cast<unsigned>(v)));
    if (lane() == 0) partial[threadIdx.x / 32] = v;
    __syncthreads();
    int4 const a = reinterpret_cast<int4 const*>(partial)[0], b = reinterpret_cast<int4 const*>(partial)[1];
    return ((a.x + a.y) + (a.z + a.w)) + ((b.x + b.y) + (b.z + b.w));
  }
};

// Scan of integers: the warp's total goes ahead through the reduction unit.
struct scan_i32 {
  using type = int;
  static __device__ int typed(auto block, auto& meeting, int v) { return muster::inclusive_scan(block, meeting, v, muster::plus{}); }
  static __device__ int hand(int v) {
    __shared__ int total[8];
    __syncthreads();
    unsigned const mine = __reduce_add_sync(every_lane, static_cast<unsigned>(v));
    if (lane() == 0) total[threadIdx.x / 32] = static_cast<int>(mine);
    __syncthreads();
    int const other = lane() < threadIdx.x / 32 && lane() < 8 ? total[lane()] : 0;
    int const below = static_cast<int>(__reduce_add_sync(every_lane, static_cast<unsigned>(other)));
#pragma unroll
    for (unsigned d = 1; d < 32; d *= 2) {
      int const left = __shfl_up_sync(every_lane, v, d);
      if (lane() >= d) v += left;
    }
    return below + v;
  }
};

struct told {
  using type = double;
  static __device__ double typed(auto block, auto& meeting, double v) { return muster::broadcast<77>(block, meeting, v); }
  static __device__ double hand(double v) {
    __shared__ double cell;
    __syncthreads();
    if (threadIdx.x == 77) cell = v;
    __syncthreads();
    return cell;
  }
};

}  // namespace pairs::of_blocks

PAIR(block_sum_f32, pairs::of_blocks::sum_f32)    // shfl 4, bar.sync 2
PAIR(block_sum_i32, pairs::of_blocks::sum_i32)    // redux 1, shfl 0, bar.sync 2
PAIR(block_scan_i32, pairs::of_blocks::scan_i32)  // redux 2, shfl 5, bar.sync 2
PAIR(block_broadcast, pairs::of_blocks::told)     // shfl 0, bar.sync 2
