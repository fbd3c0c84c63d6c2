// Warp algorithms by policy: latency of one warp alone, throughput with the chip full. A loop on the device feeds each result into the next call.
// One call a trip, as in a kernel that strides over rows. Names in .../unrolled have eight calls in a row a trip: ptxas then checks the convergence of a mask that
// it does not know only once for several of them, which flatters cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <boost/hana.hpp>

#include <muster/half.hpp>
#include <muster/muster.hpp>
#include <muster/policy/cooperative_groups.hpp>
#include <muster/policy/cub.hpp>

#include "device_loop.hpp"

namespace hana = boost::hana;
namespace cg = cooperative_groups;

namespace {

constexpr int rounds = 512;            // calls in a row in each warp
constexpr int full_block = 1024;       // two such blocks fill a multiprocessor
constexpr int waves = 4;               // how many times the chip is filled in one launch

using one_warp = muster::block_dims<32>;
using full_blocks = muster::block_dims<full_block>;

template <int Unroll, class Dims, class Call, class T>
__global__ void __launch_bounds__(Dims::count) loop(Call call, T* data, long long* cycles) {
  auto const warp = muster::this_warp(muster::this_block<Dims>());
  T v = data[threadIdx.x];
  long long const begin = clock64();
#pragma unroll Unroll
  for (int i = 0; i < rounds; ++i) {
    v = call(warp, v);
    bench::opaque(v);
  }
  long long const end = clock64();
  data[threadIdx.x] = v;
  if (cycles != nullptr && threadIdx.x == 0) *cycles = end - begin;
}

// The loops of one call without its type, so that measuring is compiled once and not for each of some two hundred cells.
struct cell {
  void (*in_one_warp)(void* data, long long* cycles);
  void (*in_full_blocks)(int blocks, void* data);
  std::size_t bytes;  // of one value
  int values_per_lane;
};
template <int Unroll, class T, class Call>
void loop_in_one_warp(void* data, long long* cycles) {
  loop<Unroll, one_warp><<<1, 32>>>(Call{}, static_cast<T*>(data), cycles);
}
template <int Unroll, class T, class Call>
void loop_in_full_blocks(int blocks, void* data) {
  loop<Unroll, full_blocks><<<blocks, full_block>>>(Call{}, static_cast<T*>(data), static_cast<long long*>(nullptr));
}

// Times one call and reports latency_cycles and warp_ops_per_second.
void measure(benchmark::State& state, cell const& call) {
  int const blocks = bench::blocks_that_fill(full_block, waves);
  bench::device_array<unsigned char> data(full_block * call.bytes);
  double const seconds = bench::time_loops(
      state, rounds, [&](long long* cycles) { call.in_one_warp(data.data(), cycles); }, [&] { call.in_full_blocks(blocks, data.data()); });
  double const per_second = static_cast<double>(blocks) * (full_block / 32) * rounds / seconds;
  state.counters["warp_ops_per_second"] = per_second;
  state.counters["values_per_second"] = per_second * 32 * call.values_per_lane;
}

void add_cell(std::string const& name, cell const& call) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { measure(state, call); })->UseManualTime()->Iterations(9);
}
template <class T, int Unroll = 1, class Call>
void add(std::string const& name, Call, int values_per_lane = 1) {
  static_assert(std::is_empty_v<Call>);
  add_cell(name, {&loop_in_one_warp<Unroll, T, Call>, &loop_in_full_blocks<Unroll, T, Call>, sizeof(T), values_per_lane});
}

// Two halves of a lane travel as one 32-bit word.
struct half_pair {
  static constexpr char const* name = "f16x2";
  using type = __half2;
  static constexpr int values = 2;
};
struct f32 {
  static constexpr char const* name = "f32";
  using type = float;
  static constexpr int values = 1;
};
struct i32 {
  static constexpr char const* name = "i32";
  using type = int;
  static constexpr int values = 1;
};
struct i64 {
  static constexpr char const* name = "i64";
  using type = long long;
  static constexpr int values = 1;
};

template <int Width, class Policy>
struct reduce_call {
  template <class Warp, class T>
  __device__ T operator()(Warp warp, T v) const {
    return muster::reduce(Policy{}, muster::tiled_partition<Width>(warp), v, muster::plus{}).value();
  }
};
template <int Width, class Policy>
struct scan_call {
  template <class Warp, class T>
  __device__ T operator()(Warp warp, T v) const {
    return muster::inclusive_scan(Policy{}, muster::tiled_partition<Width>(warp), v, muster::plus{});
  }
};
template <int Width, class Policy>
struct softmax_call {
  template <class Warp>
  __device__ float operator()(Warp warp, float v) const {
    return muster::softmax(Policy{}, muster::tiled_partition<Width>(warp), v);
  }
  template <class Warp>
  __device__ __half2 operator()(Warp warp, __half2 v) const {
    __half values[2] = {__low2half(v), __high2half(v)};
    muster::softmax(Policy{}, muster::tiled_partition<Width>(warp), values);
    return __halves2half2(values[0], values[1]);
  }
};

// What an expert writes by hand: the floor.
template <int Width>
struct hand_reduce {
  template <class Warp, class T>
  __device__ T operator()(Warp, T v) const {
#pragma unroll
    for (int d = 1; d < Width; d *= 2) v = v + __shfl_xor_sync(0xffffffffu, v, d, Width);
    return v;
  }
};
template <int Width>
struct hand_scan {
  template <class Warp, class T>
  __device__ T operator()(Warp, T v) const {
    int const rank = static_cast<int>(threadIdx.x) % Width;
#pragma unroll
    for (int d = 1; d < Width; d *= 2) {
      T const y = __shfl_up_sync(0xffffffffu, v, d, Width);
      if (rank >= d) v = v + y;
    }
    return v;
  }
};

// The sum of lanes 0 to 15, the other half idle.
struct half_warp_muster {
  template <class Warp>
  __device__ float operator()(Warp warp, float v) const {
    muster::only<muster::lane_set{0xffff}>(warp, [&](auto half) { v = muster::reduce(half, v, muster::plus{}); });
    return v;
  }
};
struct half_warp_coalesced {
  template <class Warp>
  __device__ float operator()(Warp, float v) const {
    if (threadIdx.x % 32 < 16) v = cg::reduce(cg::coalesced_threads(), v, cg::plus<float>());
    return v;
  }
};
struct half_warp_tile {
  template <class Warp>
  __device__ float operator()(Warp, float v) const {
    if (threadIdx.x % 32 < 16) v = cg::reduce(cg::tiled_partition<16>(cg::this_thread_block()), v, cg::plus<float>());
    return v;
  }
};
struct half_warp_hand {
  template <class Warp>
  __device__ float operator()(Warp, float v) const {
    if (threadIdx.x % 32 < 16) {
#pragma unroll
      for (int d = 1; d < 16; d *= 2) v += __shfl_xor_sync(0xffffu, v, d);
    }
    return v;
  }
};

// Groups known at run time, where `automatic` must choose between redux.sync and shuffles without knowing the members: half the lanes, found by a vote on data (a
// mask of no order), and the warp of a block whose size the program does not know.
template <class Policy, class Op>
struct voted_call {
  template <class Warp, class T>
  __device__ T operator()(Warp warp, T v) const {
    unsigned votes = 0x5a3c96a5u >> threadIdx.x % 32;
    bench::opaque(votes);
    muster::branch(warp, (votes & 1) != 0, [&](auto some) { v = muster::reduce(Policy{}, some, v, Op{}).value(); });
    return v;
  }
};
template <class Policy, class Op>
struct ragged_call {
  template <class Warp, class T>
  __device__ T operator()(Warp, T v) const {
    return muster::reduce(Policy{}, muster::this_warp(muster::this_block()), v, Op{}).value();
  }
};
template <class Policy, class Type, class Op>
void add_run_time_members(std::string const& operation) {
  std::string const suffix = "_" + operation + "/" + Policy::name() + "/" + Type::name;
  add<typename Type::type>("voted" + suffix, voted_call<Policy, Op>{});
  add<typename Type::type>("ragged" + suffix, ragged_call<Policy, Op>{});
}

template <class Policy, class Type, int Width>
constexpr bool does_plus = Policy::template supports<muster::plus, typename Type::type, muster::tile<Width>>();

template <class Policy, class Type, int Width>
void add_algorithms() {
  using T = typename Type::type;
  std::string const suffix = std::string("/") + Policy::name() + "/" + Type::name + "/width:" + std::to_string(Width);
  if constexpr (does_plus<Policy, Type, Width>) {
    add<T>("reduce" + suffix, reduce_call<Width, Policy>{}, Type::values);
    if constexpr (!std::is_same_v<Policy, muster::policy::redux_policy>) add<T>("inclusive_scan" + suffix, scan_call<Width, Policy>{}, Type::values);
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, __half2>) add<T>("softmax" + suffix, softmax_call<Width, Policy>{}, Type::values);
  }
}

void add_all() {
  auto const policies = hana::tuple_t<muster::policy::automatic_policy, muster::policy::shuffle_policy, muster::policy::redux_policy,
                                      muster::policy::cooperative_groups_policy, muster::policy::cub_policy>;
  auto const types = hana::tuple_t<f32, i32, i64, half_pair>;
  auto const widths = hana::tuple_c<int, 8, 16, 32>;
  hana::for_each(hana::cartesian_product(hana::make_tuple(policies, types, widths)), [](auto cell) {
    using policy = typename decltype(+cell[hana::size_c<0>])::type;
    using type = typename decltype(+cell[hana::size_c<1>])::type;
    add_algorithms<policy, type, decltype(+cell[hana::size_c<2>])::value>();
  });
  hana::for_each(hana::cartesian_product(hana::make_tuple(types, widths)), [](auto cell) {
    using type = typename decltype(+cell[hana::size_c<0>])::type;
    constexpr int width = decltype(+cell[hana::size_c<1>])::value;
    std::string const suffix = std::string("/hand/") + type::name + "/width:" + std::to_string(width);
    add<typename type::type>("reduce" + suffix, hand_reduce<width>{}, type::values);
    add<typename type::type>("inclusive_scan" + suffix, hand_scan<width>{}, type::values);
  });
  add<float, 8>("reduce/automatic/f32/width:8/unrolled", reduce_call<8, muster::policy::automatic_policy>{});
  add<float, 8>("reduce/cooperative_groups/f32/width:8/unrolled", reduce_call<8, muster::policy::cooperative_groups_policy>{});
  add<float, 8>("reduce/cub/f32/width:8/unrolled", reduce_call<8, muster::policy::cub_policy>{});
  add<float, 8>("reduce/hand/f32/width:8/unrolled", hand_reduce<8>{});
  add<float>("half_warp_sum/automatic/f32", half_warp_muster{});
  add<float>("half_warp_sum/coalesced_threads/f32", half_warp_coalesced{});
  add<float>("half_warp_sum/cooperative_groups_tile16/f32", half_warp_tile{});
  add<float>("half_warp_sum/hand/f32", half_warp_hand{});
  hana::for_each(hana::tuple_t<muster::policy::automatic_policy, muster::policy::shuffle_policy, muster::policy::redux_policy>, [](auto way) {
    using policy = typename decltype(way)::type;
    add_run_time_members<policy, i32, muster::plus>("sum");
    add_run_time_members<policy, i64, muster::plus>("sum");
    add_run_time_members<policy, f32, muster::maximum>("maximum");
  });
}

}  // namespace

int main(int argc, char** argv) { return bench::run("warp", argc, argv, &add_all); }
