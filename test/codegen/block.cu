// Algorithms of a whole block of 256 threads, and copies to its shared memory, beside what somebody writes by hand who knows how the block's warps meet best (bench/block.cpp).
#include <cuda_pipeline.h>

#include "pairs.hpp"

namespace pairs::of_blocks {

// Compared with other unsigned numbers here.
__device__ inline unsigned lane() { return threadIdx.x & 31u; }

// The order of a sum is free: all leave their values, and a lane of the first warp folds eight of them, which it reads in two accesses. The vote tells ptxas that the
// condition is the same in all lanes.
template <class Four, class T, class Fold>
__device__ T sum_of_256(T* values, T* result, T v, Fold const& fold) {
  values[threadIdx.x] = v;
  __syncthreads();
  if (__any_sync(every_lane, threadIdx.x < 32)) {
    Four const* const own = reinterpret_cast<Four const*>(values) + threadIdx.x;
    Four const a = own[0], b = own[32];
    T const all = fold(((a.x + a.y) + (a.z + a.w)) + ((b.x + b.y) + (b.z + b.w)));
    if (lane() == 0) *result = all;
  }
  __syncthreads();
  return *result;
}
struct sum_f32 {
  using type = float;
  static __device__ float typed(auto block, auto& meeting, float v) { return muster::reduce(block, meeting, v, muster::plus{}); }
  static __device__ float hand(float v) {
    __shared__ alignas(16) float values[256];
    __shared__ float result;
    return sum_of_256<float4>(values, &result, v, [](float sum) {
#pragma unroll
      for (int d = 1; d < 32; d *= 2) sum += __shfl_xor_sync(every_lane, sum, d);
      return sum;
    });
  }
};
struct sum_i32 {
  using type = int;
  static __device__ int typed(auto block, auto& meeting, int v) { return muster::reduce(block, meeting, v, muster::plus{}); }
  static __device__ int hand(int v) {
    __shared__ alignas(16) int values[256];
    __shared__ int result;
    return sum_of_256<int4>(values, &result, v, [](int sum) { return static_cast<int>(__reduce_add_sync(every_lane, static_cast<unsigned>(sum))); });
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

// 1,024 values of 16 bytes, of which a thread reads one that another has copied.
struct copied {
  using type = float4;
  static constexpr int count = 1024;
  static __device__ float4 typed(auto block, float4 const* in) {
    __shared__ float4 values[count];
    muster::copy_async(block, values, in, count).wait(block);
    return values[count - 1 - threadIdx.x];
  }
  static __device__ float4 hand(float4 const* in) {
    __shared__ float4 values[count];
#pragma unroll
    for (int round = 0; round < count / 256; ++round) {
      unsigned const i = threadIdx.x + static_cast<unsigned>(round) * 256u;
      __pipeline_memcpy_async(values + i, in + i, sizeof(float4));
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    return values[count - 1 - threadIdx.x];
  }
};

// Each warp has two copies under way and reads the first while the second is.
struct copied_ahead {
  using type = double2;
  static __device__ double2 sum(double2 a, double2 b) { return {a.x + b.x, a.y + b.y}; }
  static __device__ double2 typed(auto block, double2 const* in) {
    __shared__ double2 values[8][2][32];
    auto const warp = muster::this_warp(block);
    auto& own = values[threadIdx.x / 32];
    double2 const* const from = in + threadIdx.x / 32 * 64;
    auto const first = muster::copy_async(warp, own[0], from, 32), second = muster::copy_async(warp, own[1], from + 32, 32);
    first.template wait<1>(warp);
    double2 const ahead = own[0][31 - lane()];
    second.wait(warp);
    return sum(ahead, own[1][31 - lane()]);
  }
  static __device__ double2 hand(double2 const* in) {
    __shared__ double2 values[8][2][32];
    auto& own = values[threadIdx.x / 32];
    double2 const* const from = in + threadIdx.x / 32 * 64;
    __pipeline_memcpy_async(own[0] + lane(), from + lane(), sizeof(double2));
    __pipeline_commit();
    __pipeline_memcpy_async(own[1] + lane(), from + 32 + lane(), sizeof(double2));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncwarp();
    double2 const ahead = own[0][31 - lane()];
    __pipeline_wait_prior(0);
    __syncwarp();
    return sum(ahead, own[1][31 - lane()]);
  }
};

}  // namespace pairs::of_blocks

PAIR(block_sum_f32, pairs::of_blocks::sum_f32)    // shfl 5, vote 1, bar.sync 2
PAIR(block_sum_i32, pairs::of_blocks::sum_i32)    // redux 1, shfl 0, vote 1, bar.sync 2
PAIR(block_scan_i32, pairs::of_blocks::scan_i32)  // redux 2, shfl 5, bar.sync 2
PAIR(block_broadcast, pairs::of_blocks::told)     // shfl 0, bar.sync 2
PAIR(block_copy, pairs::of_blocks::copied)        // cp.async.cg 4, cp.async.wait_group 1, bar.sync 1, bra 0
PAIR(copy_ahead, pairs::of_blocks::copied_ahead)  // cp.async.cg 2, cp.async.commit_group 2, cp.async.wait_group 2, bar.warp 2, bar.sync 0, bra 0
