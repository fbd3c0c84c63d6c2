// Shuffles, shifts and broadcasts, of values of many sizes.
#include "pairs.hpp"

namespace pairs {

template <class T, int Width>
struct exchange_4 {
  using type = T;
  static __device__ T typed(auto warp, T v) { return muster::shuffle_xor<4>(muster::tiled_partition<Width>(warp), v); }
  static __device__ T hand(T v) { return __shfl_xor_sync(every_lane, v, 4, Width); }
};
template <int Width>
struct up_1 {
  using type = float;
  static __device__ float typed(auto warp, float v) { return muster::shuffle_up<1>(muster::tiled_partition<Width>(warp), v); }
  static __device__ float hand(float v) { return __shfl_up_sync(every_lane, v, 1, Width); }
};
template <int Width>
struct down_3 {
  using type = float;
  static __device__ float typed(auto warp, float v) { return muster::shuffle_down<3>(muster::tiled_partition<Width>(warp), v); }
  static __device__ float hand(float v) { return __shfl_down_sync(every_lane, v, 3, Width); }
};
template <int Width>
struct from_run_time_rank {
  using type = int;
  static __device__ int typed(auto warp, int v) { return muster::shuffle(muster::tiled_partition<Width>(warp), v, v & (Width - 1)); }
  static __device__ int hand(int v) { return __shfl_sync(every_lane, v, v & (Width - 1), Width); }
};
template <int Width>
struct broadcast_3 {
  using type = float;
  static __device__ float typed(auto warp, float v) { return muster::broadcast<3>(muster::tiled_partition<Width>(warp), v); }
  static __device__ float hand(float v) { return __shfl_sync(every_lane, v, 3, Width); }
};

// The first lane gets a fill.
template <int Width>
struct shift_up_1 {
  using type = float;
  static __device__ float typed(auto warp, float v) { return muster::shift_up<1>(muster::tiled_partition<Width>(warp), v, 0.0f); }
  static __device__ float hand(float v) {
    float const received = __shfl_up_sync(every_lane, v, 1, Width);
    return (lane() & (Width - 1)) == 0 ? 0.0f : received;
  }
};
struct shift_down_2_i64 {
  using type = long long;
  static __device__ long long typed(auto warp, long long v) { return muster::shift_down<2>(warp, v, -1LL); }
  static __device__ long long hand(long long v) {
    long long const received = __shfl_down_sync(every_lane, v, 2);
    return lane() < 30 ? received : -1LL;
  }
};

// The ranks of scattered lanes: every second one.
struct exchange_among_even_lanes {
  using type = float;
  static __device__ float typed(auto warp, float v) {
    muster::only<muster::lane_set{0x55555555u}>(warp, muster::with(v), [](auto even, float& v) { v = muster::shuffle_xor<1>(even, v); });
    return v;
  }
  static __device__ float hand(float v) {
    if ((lane() & 1) == 0) v = __shfl_xor_sync(0x55555555u, v, 2);
    return v;
  }
};

// Bytes: none of these may live in local memory.
template <int Bytes>
struct bytes {
  unsigned char value[Bytes];
};
template <int Words>
struct words {
  unsigned value[Words];
};
template <int Bytes>
struct exchange_bytes {
  using type = bytes<Bytes>;
  static __device__ type typed(auto warp, type v) { return muster::shuffle_xor<1>(warp, v); }
  static __device__ type hand(type v) {
#pragma unroll
    for (int first = 0; first < Bytes; first += 4) {
      unsigned word = 0;
#pragma unroll
      for (int i = 0; i < 4 && first + i < Bytes; ++i) word |= static_cast<unsigned>(v.value[first + i]) << (8 * i);
      word = __shfl_xor_sync(every_lane, word, 1);
#pragma unroll
      for (int i = 0; i < 4 && first + i < Bytes; ++i) v.value[first + i] = static_cast<unsigned char>(word >> (8 * i));
    }
    return v;
  }
};
template <int Words>
struct exchange_words {
  using type = words<Words>;
  static __device__ type typed(auto warp, type v) { return muster::shuffle_xor<1>(warp, v); }
  static __device__ type hand(type v) {
#pragma unroll
    for (unsigned& word : v.value) word = __shfl_xor_sync(every_lane, word, 1);
    return v;
  }
};
template <class T>
struct exchange_small {
  using type = T;
  static __device__ T typed(auto warp, T v) { return muster::shuffle_xor<1>(warp, v); }
  static __device__ T hand(T v) { return static_cast<T>(__shfl_xor_sync(every_lane, static_cast<unsigned>(v), 1)); }
};
// Values that a fold shifts: the fill travels too.
template <int Bytes>
struct shift_bytes {
  using type = bytes<Bytes>;
  static __device__ type typed(auto warp, type v) { return muster::shift_up<1>(warp, v, type{}); }
  static __device__ type hand(type v) {
    type const received = exchange_bytes<Bytes>::hand(v);
    return lane() == 0 ? type{} : received;
  }
};

}  // namespace pairs

PAIR(exchange_4_f32_32, pairs::exchange_4<float, 32>)              // shfl 1, setp 0
PAIR(exchange_4_f32_8, pairs::exchange_4<float, 8>)                // shfl 1, setp 0
PAIR(exchange_4_f64_32, pairs::exchange_4<double, 32>)             // shfl 2, setp 0
PAIR(up_1_32, pairs::up_1<32>)                                     // shfl 1, setp 0
PAIR(up_1_8, pairs::up_1<8>)                                       // shfl 1, setp 0
PAIR(down_3_32, pairs::down_3<32>)                                 // shfl 1, setp 0
PAIR(down_3_16, pairs::down_3<16>)                                 // shfl 1, setp 0
PAIR(from_run_time_rank_32, pairs::from_run_time_rank<32>)         // shfl 1, setp 0
PAIR(from_run_time_rank_8, pairs::from_run_time_rank<8>)           // shfl 1, setp 0
PAIR(broadcast_3_32, pairs::broadcast_3<32>)                       // shfl 1, setp 0
PAIR(broadcast_3_8, pairs::broadcast_3<8>)                         // shfl 1, setp 0
PAIR(shift_up_1_32, pairs::shift_up_1<32>)                         // shfl 1, setp 0
PAIR(shift_up_1_8, pairs::shift_up_1<8>)                           // shfl 1, setp 0
PAIR(shift_down_2_i64, pairs::shift_down_2_i64)                    // shfl 2, setp 0
PAIR(exchange_among_even_lanes, pairs::exchange_among_even_lanes)  // shfl 1
PAIR(exchange_u8, pairs::exchange_small<unsigned char>)            // shfl 1, setp 0
PAIR(exchange_i16, pairs::exchange_small<short>)                   // shfl 1, setp 0
PAIR(exchange_3_bytes, pairs::exchange_bytes<3>)                   // shfl 1, setp 0
PAIR(exchange_5_bytes, pairs::exchange_bytes<5>)                   // shfl 2, setp 0
PAIR(exchange_7_bytes, pairs::exchange_bytes<7>)                   // shfl 2, setp 0
PAIR(exchange_33_bytes, pairs::exchange_bytes<33>)                 // shfl 9, setp 0
PAIR(exchange_63_bytes, pairs::exchange_bytes<63>)                 // shfl 16, setp 0
PAIR(exchange_12_bytes, pairs::exchange_words<3>)                  // shfl 3, setp 0
PAIR(exchange_24_bytes, pairs::exchange_words<6>)                  // shfl 6, setp 0
PAIR(exchange_64_bytes, pairs::exchange_words<16>)                 // shfl 16, setp 0
PAIR(shift_3_bytes, pairs::shift_bytes<3>)                         // shfl 1, setp 0
PAIR(shift_13_bytes, pairs::shift_bytes<13>)                       // shfl 4, setp 0
