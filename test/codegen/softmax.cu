// Softmax: two reductions and an exponential a value.
#include "pairs.hpp"

namespace pairs {

template <int Width>
__device__ float greatest_of(float v) {
  if constexpr (Width == 32) {  // a signed key of the same order through the integer unit, NaN below all
    auto const flip = [](int bits) { return bits ^ (bits >> 31 & 0x7fffffff); };
    int const key = isnan(v) ? static_cast<int>(0x80000000u) : flip(__float_as_int(v));
    return __int_as_float(flip(__reduce_max_sync(every_lane, key)));
  } else {
#pragma unroll
    for (int d = Width / 2; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(every_lane, v, d, Width));
    return v;
  }
}
template <int Width>
__device__ float sum_of(float v) {
#pragma unroll
  for (int d = Width / 2; d > 0; d /= 2) v += __shfl_xor_sync(every_lane, v, d, Width);
  return v;
}

template <int Width>
struct softmax_of_one {
  using type = float;
  static __device__ float typed(auto warp, float v) { return muster::softmax(muster::tiled_partition<Width>(warp), v); }
  static __device__ float hand(float v) {
    float const e = exp2f((v - greatest_of<Width>(v)) * 1.4426950408889634f);
    return __fdividef(e, sum_of<Width>(e));
  }
};

struct four_f32 {
  float value[4];
};
struct softmax_of_four {
  using type = four_f32;
  static __device__ four_f32 typed(auto warp, four_f32 v) {
    muster::softmax(warp, v.value);
    return v;
  }
  static __device__ four_f32 hand(four_f32 v) {
    float const m = greatest_of<32>(fmaxf(fmaxf(fmaxf(v.value[0], v.value[1]), v.value[2]), v.value[3]));
#pragma unroll
    for (float& x : v.value) x = exp2f((x - m) * 1.4426950408889634f);
    float const scale = __fdividef(1.0f, sum_of<32>(v.value[0] + v.value[1] + v.value[2] + v.value[3]));
#pragma unroll
    for (float& x : v.value) x *= scale;
    return v;
  }
};

struct log_sum_of_exponentials {
  using type = float;
  static __device__ float typed(auto warp, float v) { return muster::log_sum_exp(warp, v); }
  static __device__ float hand(float v) {
    float m = greatest_of<32>(v);
    if (isinf(m)) m = 0;  // inf - inf would be NaN
    return m + logf(sum_of<32>(exp2f((v - m) * 1.4426950408889634f)));
  }
};

}  // namespace pairs

PAIR(softmax_f32_8, pairs::softmax_of_one<8>)                     // shfl 6
PAIR(softmax_f32_32, pairs::softmax_of_one<32>)                   // shfl 5, redux 1
PAIR(softmax_four_f32_32, pairs::softmax_of_four)                 // shfl 5, redux 1
PAIR(log_sum_of_exponentials_32, pairs::log_sum_of_exponentials)  // shfl 5, redux 1
