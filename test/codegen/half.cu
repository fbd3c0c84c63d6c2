// 16-bit types, alone and in pairs.
#include "pairs.hpp"

#include <muster/half.hpp>

namespace pairs {

template <class T, int Width>
struct sum_of_16_bits {
  using type = T;
  static __device__ T typed(auto warp, T v) { return muster::reduce(muster::tiled_partition<Width>(warp), v, muster::plus{}); }
  static __device__ T hand(T v) {
#pragma unroll
    for (int d = Width / 2; d > 0; d /= 2) v += __shfl_xor_sync(every_lane, v, d, Width);
    return v;
  }
};

struct greatest_pair {
  using type = __nv_bfloat162;
  static __device__ type typed(auto warp, type v) { return muster::reduce(warp, v, muster::maximum{}); }
  static __device__ type hand(type v) {
#pragma unroll
    for (int d = 16; d > 0; d /= 2) v = __hmax2(v, __shfl_xor_sync(every_lane, v, d));
    return v;
  }
};

// Scans by intrinsics select; the packed pair has the neutral -0 for lanes to which nothing arrives.
struct scan_of_pairs {
  using type = __half2;
  static __device__ type typed(auto warp, type v) { return muster::inclusive_scan(warp, v, muster::plus{}); }
  static __device__ type hand(type v) {
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
      type const received = __shfl_up_sync(every_lane, v, d);
      if (lane() >= d) v = received + v;
    }
    return v;
  }
};

// Four 16-bit values a lane: two pairs, one packed addition, and one more at the end.
struct four_halves {
  __half value[4];
};
struct sum_of_four_halves {
  using type = four_halves;
  static __device__ type typed(auto warp, type v) {
    __half const total = muster::reduce(warp, v.value, muster::plus{});
    return {{total, total, total, total}};
  }
  static __device__ type hand(type v) {
    __half2 pair = __half2(v.value[0], v.value[1]) + __half2(v.value[2], v.value[3]);
    __half sum = __low2half(pair) + __high2half(pair);
#pragma unroll
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(every_lane, sum, d);
    return {{sum, sum, sum, sum}};
  }
};

}  // namespace pairs

PAIR(sum_f16_pair_8, pairs::sum_of_16_bits<__half2, 8>)            // shfl 3, setp 0
PAIR(sum_f16_pair_32, pairs::sum_of_16_bits<__half2, 32>)          // shfl 5, setp 0
PAIR(sum_bf16_pair_32, pairs::sum_of_16_bits<__nv_bfloat162, 32>)  // shfl 5, setp 0
PAIR(sum_f16_32, pairs::sum_of_16_bits<__half, 32>)                // shfl 5, setp 0
PAIR(greatest_bf16_pair, pairs::greatest_pair)                     // shfl 5, setp 0
PAIR(scan_f16_pair, pairs::scan_of_pairs)                          // shfl 5, setp 0
PAIR(sum_of_four_f16, pairs::sum_of_four_halves)                   // shfl 5, setp 0
