// A pair is one computation twice: as muster writes it, and as somebody who knows the hardware writes it with CUDA's intrinsics. run.py compares the machine code.
//
//   struct sum_of_8 {
//     using type = float;
//     static __device__ float typed(auto warp, float v) { return muster::reduce(muster::tiled_partition<8>(warp), v, muster::plus{}); }
//     static __device__ float hand(float v) { for (int d = 4; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d); return v; }
//   };
//   PAIR(sum_of_8, sum_of_8)  // shfl 3, setp 0
//
// An algorithm of a block is typed(auto block, auto& meeting, v), and meets in that storage. What reads memory for itself is typed(auto block, type const* in), and hand(in).
//
// The comment after PAIR holds counts that are known: run.py wants exactly those in the PTX of `typed`.
#pragma once

#include <muster/muster.hpp>

namespace pairs {

inline constexpr unsigned every_lane = 0xffffffffu;

// The lane as one who knows the block's shape writes it.
__device__ inline int lane() { return static_cast<int>(threadIdx.x & 31u); }

template <class Pair>
__device__ void run_typed(typename Pair::type const* in, typename Pair::type* out) {
  using shape = muster::block_dims<256>;
  using storage = muster::block_storage<typename Pair::type, shape>;
  auto const block = muster::this_block<shape>();
  if constexpr (requires(storage& meeting, typename Pair::type v) { Pair::typed(block, meeting, v); }) {
    __shared__ storage meeting;
    out[threadIdx.x] = Pair::typed(block, meeting, in[threadIdx.x]);
  } else if constexpr (requires { Pair::typed(block, in); }) {
    out[threadIdx.x] = Pair::typed(block, in);
  } else {
    out[threadIdx.x] = Pair::typed(muster::this_warp(block), in[threadIdx.x]);
  }
}

template <class Pair>
__device__ void run_hand(typename Pair::type const* in, typename Pair::type* out) {
  if constexpr (requires { Pair::hand(in); }) out[threadIdx.x] = Pair::hand(in);
  else out[threadIdx.x] = Pair::hand(in[threadIdx.x]);
}

}  // namespace pairs

// Both kernels of a pair; C names, so that they read the same in PTX and in machine code.
#define PAIR(name, ...)                                                                                           \
  extern "C" __global__ void pair_##name##__muster(__VA_ARGS__::type const* in, __VA_ARGS__::type* out) {         \
    pairs::run_typed<__VA_ARGS__>(in, out);                                                                       \
  }                                                                                                               \
  extern "C" __global__ void pair_##name##__hand(__VA_ARGS__::type const* in, __VA_ARGS__::type* out) {           \
    pairs::run_hand<__VA_ARGS__>(in, out);                                                                        \
  }
