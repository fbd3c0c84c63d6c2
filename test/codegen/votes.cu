// Votes, matches, ranks and barriers.
#include "pairs.hpp"

namespace pairs {

struct count_of_32 {
  using type = int;
  static __device__ int typed(auto warp, int v) { return muster::ballot(warp, v > 0).count(); }
  static __device__ int hand(int v) { return __popc(__ballot_sync(every_lane, v > 0)); }
};
struct count_of_8 {
  using type = int;
  static __device__ int typed(auto warp, int v) { return muster::ballot(muster::tiled_partition<8>(warp), v > 0).count(); }
  static __device__ int hand(int v) {
    return __popc(__ballot_sync(every_lane, v > 0) >> (lane() & 24) & 0xff);
  }
};
// The place of a lane among those that keep their value: compaction.
struct place_of_32 {
  using type = int;
  static __device__ int typed(auto warp, int v) { return muster::ballot(warp, v > 0).below(muster::thread_rank(warp)); }
  static __device__ int hand(int v) { return __popc(__ballot_sync(every_lane, v > 0) & ((1u << lane()) - 1u)); }
};
struct first_of_32 {
  using type = int;
  static __device__ int typed(auto warp, int v) { return muster::ballot(warp, v > 0).first(); }
  static __device__ int hand(int v) { return __ffs(static_cast<int>(__ballot_sync(every_lane, v > 0))) - 1; }
};
struct contains_3_of_8 {
  using type = int;
  static __device__ int typed(auto warp, int v) { return muster::ballot(muster::tiled_partition<8>(warp), v > 0).contains(3) ? v : 3 * v; }
  static __device__ int hand(int v) { return (__ballot_sync(every_lane, v > 0) >> (lane() & 24) & 8u) != 0 ? v : 3 * v; }
};

struct any_of_32 {
  using type = int;
  static __device__ int typed(auto warp, int v) { return muster::any(warp, v > 0).value(); }
  static __device__ int hand(int v) { return __any_sync(every_lane, v > 0); }
};
struct all_of_32 {
  using type = int;
  static __device__ int typed(auto warp, int v) { return muster::all(warp, v > 0).value(); }
  static __device__ int hand(int v) { return __all_sync(every_lane, v > 0); }
};
struct any_of_8 {
  using type = int;
  static __device__ int typed(auto warp, int v) { return muster::any(muster::tiled_partition<8>(warp), v > 0).value(); }
  static __device__ int hand(int v) { return (__ballot_sync(every_lane, v > 0) >> (lane() & 24) & 0xff) != 0; }
};
struct all_of_8 {
  using type = int;
  static __device__ int typed(auto warp, int v) { return muster::all(muster::tiled_partition<8>(warp), v > 0).value(); }
  static __device__ int hand(int v) { return (~__ballot_sync(every_lane, v > 0) >> (lane() & 24) & 0xff) == 0; }
};

struct match_any_of_32 {
  using type = unsigned;
  static __device__ unsigned typed(auto warp, unsigned v) { return static_cast<unsigned>(muster::match_any(warp, v).count()); }
  static __device__ unsigned hand(unsigned v) { return static_cast<unsigned>(__popc(__match_any_sync(every_lane, v))); }
};
struct match_all_of_32 {
  using type = unsigned;
  static __device__ unsigned typed(auto warp, unsigned v) { return muster::match_all(warp, v).empty(); }
  static __device__ unsigned hand(unsigned v) {
    int agree;
    return __match_all_sync(every_lane, v, &agree) == 0;
  }
};

template <int Width>
struct rank_in_tile {
  using type = int;
  static __device__ int typed(auto warp, int v) { return v + muster::thread_rank(muster::tiled_partition<Width>(warp)); }
  static __device__ int hand(int v) { return v + (lane() & (Width - 1)); }
};
struct number_of_tile {
  using type = int;
  static __device__ int typed(auto warp, int v) { return v + muster::meta_group_rank(muster::tiled_partition<8>(warp)); }
  static __device__ int hand(int v) { return v + lane() / 8; }
};

// Through shared memory, with a barrier of the warp between.
struct neighbour_through_memory {
  using type = int;
  static __device__ int typed(auto warp, int v) {
    __shared__ int buffer[256];
    buffer[threadIdx.x] = v;
    muster::sync(warp);
    return buffer[threadIdx.x ^ 1u];
  }
  static __device__ int hand(int v) {
    __shared__ int buffer[256];
    buffer[threadIdx.x] = v;
    __syncwarp();
    return buffer[threadIdx.x ^ 1u];
  }
};

}  // namespace pairs

PAIR(count_of_32, pairs::count_of_32)                            // vote 1
PAIR(count_of_8, pairs::count_of_8)                              // vote 1
PAIR(place_of_32, pairs::place_of_32)                            // vote 1
PAIR(first_of_32, pairs::first_of_32)                            // vote 1
PAIR(contains_3_of_8, pairs::contains_3_of_8)                    // vote 1
PAIR(any_of_32, pairs::any_of_32)                                // vote 1
PAIR(all_of_32, pairs::all_of_32)                                // vote 1
PAIR(any_of_8, pairs::any_of_8)                                  // vote 1
PAIR(all_of_8, pairs::all_of_8)                                  // vote 1
PAIR(match_any_of_32, pairs::match_any_of_32)                    // match 1
PAIR(match_all_of_32, pairs::match_all_of_32)                    // match 1
PAIR(rank_in_32, pairs::rank_in_tile<32>)                        // setp 0
PAIR(rank_in_8, pairs::rank_in_tile<8>)                          // setp 0
PAIR(number_of_tile, pairs::number_of_tile)                      // setp 0
PAIR(neighbour_through_memory, pairs::neighbour_through_memory)  // bar.warp 1
