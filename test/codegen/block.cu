// Algorithms of a whole block of 256 threads, beside what somebody writes by hand who knows how the block's warps meet best (bench/block.cpp).
#include <muster/muster.hpp>

namespace pairs {

using shape = muster::block_dims<256>;
inline constexpr unsigned every_lane = 0xffffffffu;

// The lane as one who knows the block's shape writes it.
__device__ inline unsigned lane() { return threadIdx.x & 31u; }

template <class Pair>
__device__ void run_typed(typename Pair::type const* in, typename Pair::type* out) {
  __shared__ muster::block_storage<typename Pair::type, shape> meeting;
  out[threadIdx.x] = Pair::typed(muster::this_block<shape>(), meeting, in[threadIdx.x]);
}

template <class Pair>
__device__ void run_hand(typename Pair::type const* in, typename Pair::type* out) {
  out[threadIdx.x] = Pair::hand(in[threadIdx.x]);
}

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

}  // namespace pairs

// Both kernels of a pair; C names, so that they read the same in PTX and in machine code.
#define PAIR(name, ...)                                                                                   \
  extern "C" __global__ void pair_##name##__muster(__VA_ARGS__::type const* in, __VA_ARGS__::type* out) { \
    pairs::run_typed<__VA_ARGS__>(in, out);                                                               \
  }                                                                                                       \
  extern "C" __global__ void pair_##name##__hand(__VA_ARGS__::type const* in, __VA_ARGS__::type* out) {   \
    pairs::run_hand<__VA_ARGS__>(in, out);                                                                \
  }

PAIR(block_sum_f32, pairs::sum_f32)    // shfl 4, bar.sync 2
PAIR(block_sum_i32, pairs::sum_i32)    // redux 1, shfl 0, bar.sync 2
PAIR(block_scan_i32, pairs::scan_i32)  // redux 2, shfl 5, bar.sync 2
PAIR(block_broadcast, pairs::told)     // shfl 0, bar.sync 2
