// Algorithms of a whole block of 256 threads, beside what somebody writes by hand who knows how the block's warps meet best (bench/block.cpp).
#include "pairs.hpp"

namespace pairs::of_blocks {

// Compared with other unsigned numbers here.
__device__ inline unsigned lane() { return threadIdx.x & 31u; }

// The order of a sum is free: all warps but the first leave their values, and a lane of the first folds its own and those of the same lane of the others. fold: of a warp.
template <class T, class Fold>
__device__ T sum_of_256(T* others, T* result, T v, Fold const& fold) {
  if (threadIdx.x >= 32) others[threadIdx.x - 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    T const* const own = others + threadIdx.x;
    T const all = fold(((v + own[0]) + (own[32] + own[64])) + ((own[96] + own[128]) + (own[160] + own[192])));
    if (lane() == 0) *result = all;
  }
  __syncthreads();
  return *result;
}
struct sum_f32 {
  using type = float;
  static __device__ float typed(auto block, auto& meeting, float v) { return muster::reduce(block, meeting, v, muster::plus{}); }
  static __device__ float hand(float v) {
    __shared__ float others[224], result;
    return sum_of_256(others, &result, v, [](float sum) {
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
    __shared__ int others[224], result;
    return sum_of_256(others, &result, v, [](int sum) { return static_cast<int>(__reduce_add_sync(every_lane, static_cast<unsigned>(sum))); });
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

PAIR(block_sum_f32, pairs::of_blocks::sum_f32)    // shfl 5, bar.sync 2
PAIR(block_sum_i32, pairs::of_blocks::sum_i32)    // redux 1, shfl 0, bar.sync 2
PAIR(block_scan_i32, pairs::of_blocks::scan_i32)  // redux 2, shfl 5, bar.sync 2
PAIR(block_broadcast, pairs::of_blocks::told)     // shfl 0, bar.sync 2
