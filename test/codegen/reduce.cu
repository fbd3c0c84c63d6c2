// Reductions over all lanes of a warp's tiles.
#include "pairs.hpp"

namespace pairs {

// A butterfly: what one writes for full tiles.
template <int Width, class T, class Op>
__device__ T butterfly(T v, Op op) {
#pragma unroll
  for (int d = Width / 2; d > 0; d /= 2) v = op(v, __shfl_xor_sync(every_lane, v, d, Width));
  return v;
}

template <class T, int Width>
struct sum {
  using type = T;
  static __device__ T typed(auto warp, T v) { return muster::reduce(muster::policy::shuffle, muster::tiled_partition<Width>(warp), v, muster::plus{}); }
  static __device__ T hand(T v) {
    return butterfly<Width>(v, [](T a, T b) { return a + b; });
  }
};

// Floating-point maximum of tiles that share the warp.
template <int Width>
struct greatest_f32 {
  using type = float;
  static __device__ float typed(auto warp, float v) { return muster::reduce(muster::tiled_partition<Width>(warp), v, muster::maximum{}); }
  static __device__ float hand(float v) {
    return butterfly<Width>(v, [](float a, float b) { return fmaxf(a, b); });
  }
};

// Floating-point maximum of a warp by the integer unit: a signed key of the same order, NaN below all.
struct greatest_f32_by_key {
  using type = float;
  static __device__ float typed(auto warp, float v) { return muster::reduce(warp, v, muster::maximum{}); }
  static __device__ int flip(int bits) { return bits ^ (bits >> 31 & 0x7fffffff); }
  static __device__ float hand(float v) {
    int const key = isnan(v) ? static_cast<int>(0x80000000u) : flip(__float_as_int(v));
    return __int_as_float(flip(__reduce_max_sync(every_lane, key)));
  }
};

struct sum_i32_by_redux {
  using type = int;
  static __device__ int typed(auto warp, int v) { return muster::reduce(warp, v, muster::plus{}); }
  static __device__ int hand(int v) { return static_cast<int>(__reduce_add_sync(every_lane, static_cast<unsigned>(v))); }
};
struct least_u32_by_redux {
  using type = unsigned;
  static __device__ unsigned typed(auto warp, unsigned v) { return muster::reduce(warp, v, muster::minimum{}); }
  static __device__ unsigned hand(unsigned v) { return __reduce_min_sync(every_lane, v); }
};
struct xor_u32_by_redux {
  using type = unsigned;
  static __device__ unsigned typed(auto warp, unsigned v) { return muster::reduce(warp, v, muster::bit_xor{}); }
  static __device__ unsigned hand(unsigned v) { return __reduce_xor_sync(every_lane, v); }
};

// A 64-bit sum by the 32-bit unit: parts of 27, 27 and 10 bits, of which 32 cannot carry.
struct sum_i64_by_redux {
  using type = unsigned long long;
  static __device__ type typed(auto warp, type v) { return muster::reduce(warp, v, muster::plus{}); }
  static __device__ type hand(type v) {
    constexpr unsigned part = (1u << 27) - 1;
    type const low = __reduce_add_sync(every_lane, static_cast<unsigned>(v) & part);
    type const middle = __reduce_add_sync(every_lane, static_cast<unsigned>(v >> 27) & part);
    type const high = __reduce_add_sync(every_lane, static_cast<unsigned>(v >> 54));
    return low + (middle << 27) + (high << 54);
  }
};

struct product_f32_16 {
  using type = float;
  static __device__ float typed(auto warp, float v) { return muster::reduce(muster::tiled_partition<16>(warp), v, muster::multiplies{}); }
  static __device__ float hand(float v) {
    return butterfly<16>(v, [](float a, float b) { return a * b; });
  }
};

// An operator that does not commute: x -> scale·x + offset, composed. Each lane puts the lower half on the left.
struct affine {
  float scale;
  float offset;
};
struct compose {
  static constexpr bool is_commutative = false;
  __host__ __device__ affine operator()(affine a, affine b) const { return {a.scale * b.scale, b.scale * a.offset + b.offset}; }
  template <class T>
  __host__ __device__ static affine identity() {
    return {1, 0};
  }
};
struct composition_32 {
  using type = affine;
  static __device__ affine typed(auto warp, affine v) { return muster::reduce(warp, v, compose{}); }
  static __device__ affine hand(affine v) {
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
      affine const other{__shfl_xor_sync(every_lane, v.scale, d), __shfl_xor_sync(every_lane, v.offset, d)};
      bool const is_upper = (lane() & d) != 0;
      v = compose{}(is_upper ? other : v, is_upper ? v : other);
    }
    return v;
  }
};

// Four values a lane.
struct four_f32 {
  float value[4];
};
struct sum_of_four_each {
  using type = four_f32;
  static __device__ four_f32 typed(auto warp, four_f32 v) {
    float const total = muster::reduce(warp, v.value, muster::plus{});
    return {{total, total, total, total}};
  }
  static __device__ four_f32 hand(four_f32 v) {
    float const own = v.value[0] + v.value[1] + v.value[2] + v.value[3];
    float const total = butterfly<32>(own, [](float a, float b) { return a + b; });
    return {{total, total, total, total}};
  }
};

}  // namespace pairs

PAIR(sum_f32_8, pairs::sum<float, 8>)                  // shfl 3, setp 0, redux 0
PAIR(sum_f32_16, pairs::sum<float, 16>)                // shfl 4, setp 0, redux 0
PAIR(sum_f32_32, pairs::sum<float, 32>)                // shfl 5, setp 0, redux 0
PAIR(sum_i32_8, pairs::sum<int, 8>)                    // shfl 3, setp 0, redux 0
PAIR(sum_i32_16, pairs::sum<int, 16>)                  // shfl 4, setp 0, redux 0
PAIR(sum_i32_32, pairs::sum<int, 32>)                  // shfl 5, setp 0, redux 0
PAIR(sum_i64_8, pairs::sum<long long, 8>)              // shfl 6, setp 0
PAIR(sum_i64_16, pairs::sum<long long, 16>)            // shfl 8, setp 0
PAIR(sum_i64_32, pairs::sum<long long, 32>)            // shfl 10, setp 0
PAIR(sum_f64_8, pairs::sum<double, 8>)                 // shfl 6, setp 0
PAIR(sum_f64_16, pairs::sum<double, 16>)               // shfl 8, setp 0
PAIR(sum_f64_32, pairs::sum<double, 32>)               // shfl 10, setp 0
PAIR(sum_i32_by_redux, pairs::sum_i32_by_redux)        // redux 1, shfl 0, setp 0
PAIR(least_u32_by_redux, pairs::least_u32_by_redux)    // redux 1, shfl 0, setp 0
PAIR(xor_u32_by_redux, pairs::xor_u32_by_redux)        // redux 1, shfl 0, setp 0
PAIR(sum_i64_by_redux, pairs::sum_i64_by_redux)        // redux 3, shfl 0, setp 0
PAIR(greatest_f32_8, pairs::greatest_f32<8>)           // shfl 3, setp 0
PAIR(greatest_f32_16, pairs::greatest_f32<16>)         // shfl 4, setp 0
PAIR(greatest_f32_by_key, pairs::greatest_f32_by_key)  // redux 1, shfl 0
PAIR(product_f32_16, pairs::product_f32_16)            // shfl 4, setp 0
PAIR(composition_32, pairs::composition_32)            // shfl 10
PAIR(sum_of_four_each, pairs::sum_of_four_each)        // shfl 5, setp 0
