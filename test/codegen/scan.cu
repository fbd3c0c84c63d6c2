// Scans. The hand-written ones use shfl's predicate inside one asm statement where that is possible: intrinsics cost a setp and a select a round.
#include "pairs.hpp"

namespace pairs {

// One round on a 32-bit value: the lanes that have a lane `distance` below them in their tile add what it holds.
template <int Width>
__device__ float round_up(float v, int distance) {
  asm volatile("{ .reg .pred p; .reg .f32 t; shfl.sync.up.b32 t|p, %0, %1, %2, -1; @p add.f32 %0, t, %0; }" : "+f"(v) : "r"(distance), "n"((32 - Width) << 8));
  return v;
}
template <int Width>
__device__ int round_up(int v, int distance) {
  asm volatile("{ .reg .pred p; .reg .s32 t; shfl.sync.up.b32 t|p, %0, %1, %2, -1; @p add.s32 %0, t, %0; }" : "+r"(v) : "r"(distance), "n"((32 - Width) << 8));
  return v;
}
// Two words and one predicate.
template <int Width>
__device__ double round_up(double v, int distance) {
  asm volatile(
      "{ .reg .pred p; .reg .b32 a, b; .reg .f64 t; mov.b64 {a, b}, %0; shfl.sync.up.b32 a, a, %1, %2, -1; shfl.sync.up.b32 b|p, b, %1, %2, -1; "
      "mov.b64 t, {a, b}; @p add.f64 %0, t, %0; }"
      : "+d"(v) : "r"(distance), "n"((32 - Width) << 8));
  return v;
}
template <int Width>
__device__ long long round_up(long long v, int distance) {
  asm volatile(
      "{ .reg .pred p; .reg .b32 a, b; .reg .s64 t; mov.b64 {a, b}, %0; shfl.sync.up.b32 a, a, %1, %2, -1; shfl.sync.up.b32 b|p, b, %1, %2, -1; "
      "mov.b64 t, {a, b}; @p add.s64 %0, t, %0; }"
      : "+l"(v) : "r"(distance), "n"((32 - Width) << 8));
  return v;
}

template <int Width, class T>
__device__ T running_sum(T v) {
#pragma unroll
  for (int d = 1; d < Width; d *= 2) v = round_up<Width>(v, d);
  return v;
}

template <class T, int Width>
struct inclusive_sum {
  using type = T;
  static __device__ T typed(auto warp, T v) { return muster::inclusive_scan(muster::tiled_partition<Width>(warp), v, muster::plus{}); }
  static __device__ T hand(T v) { return running_sum<Width>(v); }
};

template <class T, int Width>
struct exclusive_sum {
  using type = T;
  static __device__ T typed(auto warp, T v) { return muster::exclusive_scan(muster::tiled_partition<Width>(warp), v, muster::plus{}); }
  static __device__ T hand(T v) {
    T const before = __shfl_up_sync(every_lane, running_sum<Width>(v), 1, Width);
    return (lane() & (Width - 1)) == 0 ? T(0) : before;
  }
};

struct inclusive_maximum {
  using type = float;
  static __device__ float typed(auto warp, float v) { return muster::inclusive_scan(warp, v, muster::maximum{}); }
  static __device__ float hand(float v) {
#pragma unroll
    for (int d = 1; d < 32; d *= 2)
      asm volatile("{ .reg .pred p; .reg .f32 t; shfl.sync.up.b32 t|p, %0, %1, 0, -1; @p max.f32 %0, t, %0; }" : "+f"(v) : "r"(d));
    return v;
  }
};

// An operator of the user's own, by intrinsics.
struct saturating_plus {
  static constexpr bool is_commutative = true;
  __host__ __device__ unsigned operator()(unsigned a, unsigned b) const { return a + b < a ? ~0u : a + b; }
  template <class T>
  __host__ __device__ static T identity() {
    return 0;
  }
};
struct inclusive_own_operator {
  using type = unsigned;
  static __device__ unsigned typed(auto warp, unsigned v) { return muster::inclusive_scan(warp, v, saturating_plus{}); }
  static __device__ unsigned hand(unsigned v) {
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
      unsigned const received = __shfl_up_sync(every_lane, v, d);
      if (lane() >= d) v = saturating_plus{}(received, v);
    }
    return v;
  }
};

struct four_f32 {
  float value[4];
};
struct inclusive_four_each {
  using type = four_f32;
  static __device__ four_f32 typed(auto warp, four_f32 v) {
    muster::inclusive_scan(warp, v.value, muster::plus{});
    return v;
  }
  static __device__ four_f32 hand(four_f32 v) {
    float const own = v.value[0] + v.value[1] + v.value[2] + v.value[3];
    float before = exclusive_sum<float, 32>::hand(own);
#pragma unroll
    for (float& value : v.value) value = before = before + value;
    return v;
  }
};

}  // namespace pairs

PAIR(inclusive_sum_f32_8, pairs::inclusive_sum<float, 8>)        // shfl 3, setp 0
PAIR(inclusive_sum_f32_16, pairs::inclusive_sum<float, 16>)      // shfl 4, setp 0
PAIR(inclusive_sum_f32_32, pairs::inclusive_sum<float, 32>)      // shfl 5, setp 0
PAIR(inclusive_sum_i32_8, pairs::inclusive_sum<int, 8>)          // shfl 3, setp 0
PAIR(inclusive_sum_i32_16, pairs::inclusive_sum<int, 16>)        // shfl 4, setp 0
PAIR(inclusive_sum_i32_32, pairs::inclusive_sum<int, 32>)        // shfl 5, setp 0
PAIR(inclusive_sum_f64_32, pairs::inclusive_sum<double, 32>)     // shfl 10, setp 0
PAIR(inclusive_sum_i64_32, pairs::inclusive_sum<long long, 32>)  // shfl 10, setp 0
PAIR(exclusive_sum_f32_8, pairs::exclusive_sum<float, 8>)        // shfl 4, setp 0
PAIR(exclusive_sum_f32_32, pairs::exclusive_sum<float, 32>)      // shfl 6, setp 0
PAIR(exclusive_sum_i32_32, pairs::exclusive_sum<int, 32>)        // shfl 6, setp 0
PAIR(inclusive_maximum, pairs::inclusive_maximum)                // shfl 5, setp 0
PAIR(inclusive_own_operator, pairs::inclusive_own_operator)      // shfl 5
PAIR(inclusive_four_each, pairs::inclusive_four_each)            // shfl 6, setp 0
