// What the benchmarks of a block's algorithms share: a loop on the device that feeds each result into the next call, one call a trip, and what a call must give. Before
// it is timed, each call is made twice in a row and its results are compared with the host's. Latency: one block alone; throughput: the chip full.
#pragma once

#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include <muster/muster.hpp>

#include "device_loop.hpp"

namespace bench {

constexpr int rounds = 256;  // calls in a row in each block
constexpr int waves = 4;     // how many times the chip is filled in one launch

// A call has a type `memory` in shared memory, begin(block, memory), done once, and operator()(begun, value).
template <class Call, class Dims, class T>
__global__ void __launch_bounds__(Dims::count) loop(Call call, T* data, long long* cycles) {
  __shared__ typename Call::memory memory;
  auto const begun = call.begin(muster::this_block<Dims>(), memory);
  T v = data[threadIdx.x];
  __syncthreads();
  long long const begin = clock64();
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    v = call(begun, v);
    opaque(v);
  }
  long long const end = clock64();
  data[threadIdx.x] = v;
  if (cycles != nullptr && threadIdx.x == 0) *cycles = end - begin;
}

template <class Call, class Dims, class T>
__global__ void __launch_bounds__(Dims::count) twice(Call call, T const* in, T* out) {
  __shared__ typename Call::memory memory;
  auto const begun = call.begin(muster::this_block<Dims>(), memory);
  out[threadIdx.x] = call(begun, in[threadIdx.x]);
  out[Dims::count + threadIdx.x] = call(begun, in[Dims::count + threadIdx.x]);
}

// What a call must give.
struct sum_in_all {
  static constexpr char const* name = "block_reduce";
  static double expected(std::vector<double> const& in, int) {
    double sum = 0;
    for (double v : in) sum += v;
    return sum;
  }
  static bool is_result(int) { return true; }
};
struct sum_in_first : sum_in_all {
  static constexpr char const* name = "block_reduce_to";
  static bool is_result(int thread) { return thread == 0; }
};
struct running_sum : sum_in_all {
  static constexpr char const* name = "block_inclusive_scan";
  static double expected(std::vector<double> const& in, int thread) {
    double sum = 0;
    for (int i = 0; i <= thread; ++i) sum += in[static_cast<std::size_t>(i)];
    return sum;
  }
};
struct softmax_of_all : sum_in_all {
  static constexpr char const* name = "block_softmax";
  static double expected(std::vector<double> const& in, int thread) {
    double sum = 0, greatest = in[0];
    for (double v : in) greatest = v > greatest ? v : greatest;
    for (double v : in) sum += std::exp(v - greatest);
    return std::exp(in[static_cast<std::size_t>(thread)] - greatest) / sum;
  }
};

// A call's kernels behind plain functions, so that what measures them is compiled once for a type.
struct cell {
  int threads;
  void (*run_loop)(int blocks, void* data, long long* cycles);
  void (*run_twice)(void const* in, void* out);
};
template <class Dims, class T, class Call>
cell cell_of(Call) {
  return {Dims::count, [](int blocks, void* data, long long* cycles) { loop<Call, Dims><<<blocks, Dims::count>>>(Call{}, static_cast<T*>(data), cycles); },
          [](void const* in, void* out) { twice<Call, Dims><<<1, Dims::count>>>(Call{}, static_cast<T const*>(in), static_cast<T*>(out)); }};
}

// Whole numbers below 200 either side of zero, so that sums are exact; softmax's exponentials are compared within 1e-5.
template <class Result, class T>
bool is_right(cell const& call) {
  std::vector<T> in, got(static_cast<std::size_t>(2 * call.threads));
  for (int i = 0; i < 2 * call.threads; ++i) in.push_back(static_cast<T>(i * 7919 % 201 - 100) / static_cast<T>(std::is_same_v<Result, softmax_of_all> ? 16 : 1));
  device_array<T> device_in(in.size()), device_out(in.size());
  check(cudaMemcpy(device_in.data(), in.data(), in.size() * sizeof(T), cudaMemcpyHostToDevice), "input");
  call.run_twice(device_in.data(), device_out.data());
  check(cudaGetLastError(), "launch");
  check(cudaMemcpy(got.data(), device_out.data(), got.size() * sizeof(T), cudaMemcpyDeviceToHost), "results");
  for (int half = 0; half < 2; ++half) {
    std::vector<double> const values(in.begin() + half * call.threads, in.begin() + (half + 1) * call.threads);
    for (int thread = 0; thread < call.threads; ++thread) {
      if (!Result::is_result(thread)) continue;
      double const want = Result::expected(values, thread), have = static_cast<double>(got[static_cast<std::size_t>(half * call.threads + thread)]);
      if (!(std::abs(have - want) <= (std::is_same_v<Result, softmax_of_all> ? 1e-5 * want : 0))) return false;
    }
  }
  return true;
}

template <class Result, class T>
void measure(benchmark::State& state, cell const& call) {
  if (!is_right<Result, T>(call)) {
    all_right = false;
    state.SkipWithError("wrong results");
    return;
  }
  int const blocks = blocks_that_fill(call.threads, waves);
  device_array<T> data(static_cast<std::size_t>(call.threads));
  double const seconds = time_loops(state, rounds, [&](long long* cycles) { call.run_loop(1, data.data(), cycles); }, [&] { call.run_loop(blocks, data.data(), nullptr); });
  state.counters["block_ops_per_second"] = static_cast<double>(blocks) * rounds / seconds;
}

struct f32 {
  static constexpr char const* name = "f32";
  using type = float;
};
struct i32 {
  static constexpr char const* name = "i32";
  using type = int;
};
struct f64 {
  static constexpr char const* name = "f64";
  using type = double;
};

// Not a template: there are some hundred cells.
inline void add_cell(char const* result, std::string const& how, char const* type, cell const& call, void (*measure_cell)(benchmark::State&, cell const&)) {
  std::string const name = std::string(result) + "/" + how + "/" + type + "/threads:" + std::to_string(call.threads);
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { measure_cell(state, call); })->UseManualTime()->Iterations(9);
}
template <class Result, class Dims, class Type, class Call>
void add(std::string const& how, Call call) {
  using T = typename Type::type;
  add_cell(Result::name, how, Type::name, cell_of<Dims, T>(call), &measure<Result, T>);
}

// A block with its storage, as what a call begins with.
template <class Block, class Storage>
struct begun_call {
  Block block;
  Storage& storage;
};
template <class Storage>
struct with_storage {
  using memory = Storage;
  template <class Block>
  __device__ begun_call<Block, Storage> begin(Block block, Storage& storage) const {
    return {block, storage};
  }
};

}  // namespace bench
