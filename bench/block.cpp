// Block algorithms by policy: latency of one block alone, throughput with the chip full. A loop on the device feeds each result into the next call, one call a trip.
// Before it is timed, each call is made twice in a row and its results are compared with the host's.
//
//   block_reduce/automatic/f32/threads:256            the fold in every thread
//   block_reduce/cub/...                              the same from CUB's default algorithm: its result in thread 0, handed to all through shared memory
//   block_reduce/cub_all:raking/...                   the same from CUB's other algorithms
//   block_reduce/cub_first:raking/...                 CUB as it is: the fold in thread 0 only, and the barrier that CUB asks for between two calls
//   block_reduce/cooperative_groups/...               a tile of several warps, made once before the loop
//   block_reduce/way:4,16,one/...                     muster by another way (include/muster/algorithm/block_way.hpp): tile, each, by whom
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cmath>

#include <boost/hana.hpp>

#include <muster/muster.hpp>
#include <muster/policy/cub_block.hpp>

#include "support.hpp"

namespace hana = boost::hana;
namespace cg = cooperative_groups;

namespace {

constexpr int rounds = 256;  // calls in a row in each block
constexpr int waves = 4;     // how many times the chip is filled in one launch

using muster::block_dims;
using muster::detail::block_way;

// Keeps a value in a register where the compiler cannot see through it.
template <class T>
__device__ void opaque(T& v) {
  if constexpr (sizeof(T) == 4) asm volatile("" : "+r"(reinterpret_cast<unsigned&>(v)));
  else if constexpr (sizeof(T) == 8) asm volatile("" : "+l"(reinterpret_cast<unsigned long long&>(v)));
}

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
  bench::device_array<T> device_in(in.size()), device_out(in.size());
  bench::check(cudaMemcpy(device_in.data(), in.data(), in.size() * sizeof(T), cudaMemcpyHostToDevice), "input");
  call.run_twice(device_in.data(), device_out.data());
  bench::check(cudaGetLastError(), "launch");
  bench::check(cudaMemcpy(got.data(), device_out.data(), got.size() * sizeof(T), cudaMemcpyDeviceToHost), "results");
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

bool all_right = true;

template <class Result, class T>
void measure(benchmark::State& state, cell const& call) {
  if (!is_right<Result, T>(call)) {
    all_right = false;
    state.SkipWithError("wrong results");
    return;
  }
  int multiprocessors = 0;
  bench::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "multiprocessors");
  int const blocks = multiprocessors * (2048 / call.threads) * waves;
  bench::device_array<T> data(static_cast<std::size_t>(call.threads));
  bench::device_array<long long> cycles(1);
  std::vector<double> latencies, times;
  for (int i = 0; i < 9; ++i) {
    call.run_loop(1, data.data(), cycles.data());
    long long taken = 0;
    bench::check(cudaMemcpy(&taken, cycles.data(), sizeof taken, cudaMemcpyDeviceToHost), "latency");
    latencies.push_back(static_cast<double>(taken) / rounds);
  }
  auto const fill = [&] { call.run_loop(blocks, data.data(), nullptr); };
  bench::milliseconds(fill);
  for (auto _ : state) {
    double const ms = bench::milliseconds(fill);
    times.push_back(ms);
    state.SetIterationTime(ms * 1e-3);
  }
  state.counters["latency_cycles"] = bench::median(latencies);
  state.counters["block_ops_per_second"] = static_cast<double>(blocks) * rounds / (bench::median(times) * 1e-3);
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
void add_cell(char const* result, std::string const& how, char const* type, cell const& call, void (*measure_cell)(benchmark::State&, cell const&)) {
  std::string const name = std::string(result) + "/" + how + "/" + type + "/threads:" + std::to_string(call.threads);
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { measure_cell(state, call); })->UseManualTime()->Iterations(9);
}
template <class Result, class Dims, class Type, class Call>
void add(std::string const& how, Call call) {
  using T = typename Type::type;
  add_cell(Result::name, how, Type::name, cell_of<Dims, T>(call), &measure<Result, T>);
}

// --- muster ---

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

template <class Policy, class Storage>
struct reduce_call : with_storage<Storage> {
  template <class Begun, class T>
  __device__ T operator()(Begun const& at, T v) const {
    return muster::reduce(Policy{}, at.block, at.storage, v, muster::plus{}).value();
  }
};
template <class Policy, class Storage>
struct scan_call : with_storage<Storage> {
  template <class Begun, class T>
  __device__ T operator()(Begun const& at, T v) const {
    return muster::inclusive_scan(Policy{}, at.block, at.storage, v, muster::plus{});
  }
};
template <class Policy, class Storage>
struct softmax_call : with_storage<Storage> {
  template <class Begun, class T>
  __device__ T operator()(Begun const& at, T v) const {
    return muster::softmax(Policy{}, at.block, at.storage, v);
  }
};

// By a way that need not be the one that policy::automatic takes.
template <block_way Way, class Dims, class T>
struct memory_of_way {
  static constexpr int words = muster::detail::words_of<T>;
  alignas(16) std::uint32_t partials[muster::detail::words_of_way(Way, Dims::count, words)];
  alignas(16) std::uint32_t result[32 * words];
  __device__ muster::detail::meeting_place place() { return {partials, partials, result}; }
};
template <block_way Way, class Dims, class T>
struct reduce_by_way : with_storage<memory_of_way<Way, Dims, T>> {
  template <class Begun>
  __device__ T operator()(Begun const& at, T v) const {
    return muster::detail::reduced_by<Way, muster::policy::automatic_policy>(at.block, at.storage.place(), v, muster::plus{}, muster::site{});
  }
};
template <block_way Way, class Dims, class T>
struct scan_by_way : with_storage<memory_of_way<Way, Dims, T>> {
  template <class Begun>
  __device__ T operator()(Begun const& at, T v) const {
    return muster::detail::scanned_by<Way, muster::policy::automatic_policy, muster::detail::up_to_own>(at.block, at.storage.place(), v, muster::plus{}, muster::site{});
  }
};
std::string name_of(block_way way) {
  return "way:" + std::to_string(way.tile) + "," + std::to_string(way.each) + (way.by_every_warp ? ",every" : ",one");
}

// --- CUB ---

template <class Collective, class T>
struct cub_memory {
  typename Collective::TempStorage temporary;
  T result;
};
template <class Collective, class T, bool ForAll>
struct cub_reduce {
  using memory = cub_memory<Collective, T>;
  template <class Block>
  __device__ memory* begin(Block, memory& m) const {
    return &m;
  }
  __device__ T operator()(memory* m, T v) const {
    v = Collective(m->temporary).Sum(v);
    if constexpr (ForAll) {
      if (threadIdx.x == 0) m->result = v;
      __syncthreads();
      return m->result;
    } else {
      __syncthreads();
      return v;
    }
  }
};
template <class Collective, class T>
struct cub_scan {
  using memory = cub_memory<Collective, T>;
  template <class Block>
  __device__ memory* begin(Block, memory& m) const {
    return &m;
  }
  __device__ T operator()(memory* m, T v) const {
    T result;
    Collective(m->temporary).InclusiveSum(v, result);
    __syncthreads();
    return result;
  }
};

// --- cooperative groups ---

template <int Threads>
struct library_tile {
  struct memory {};
  template <class Block>
  __device__ auto begin(Block, memory&) const {
    return cg::tiled_partition<Threads>(cg::this_thread_block());
  }
};
template <int Threads>
struct cg_reduce : library_tile<Threads> {
  template <class Tile, class T>
  __device__ T operator()(Tile const& tile, T v) const {
    return cg::reduce(tile, v, cg::plus<T>());
  }
};
template <int Threads>
struct cg_scan : library_tile<Threads> {
  template <class Tile, class T>
  __device__ T operator()(Tile const& tile, T v) const {
    return cg::inclusive_scan(tile, v, cg::plus<T>());
  }
};

template <class Type, class Dims>
void add_policies() {
  using T = typename Type::type;
  using own = muster::block_storage<T, Dims>;
  using foreign = muster::policy::cub_block_storage<T, Dims>;
  using muster::policy::automatic_policy, muster::policy::shuffle_policy, muster::policy::cub_policy;
  constexpr int threads = Dims::count;
  add<sum_in_all, Dims, Type>("automatic", reduce_call<automatic_policy, own>{});
  add<sum_in_all, Dims, Type>("cub", reduce_call<cub_policy, foreign>{});
  add<sum_in_all, Dims, Type>("cooperative_groups", cg_reduce<threads>{});
  add<running_sum, Dims, Type>("automatic", scan_call<automatic_policy, own>{});
  add<running_sum, Dims, Type>("cub", scan_call<cub_policy, foreign>{});
  add<running_sum, Dims, Type>("cooperative_groups", cg_scan<threads>{});
  if constexpr (std::is_same_v<T, int>) {
    add<sum_in_all, Dims, Type>("shuffle", reduce_call<shuffle_policy, own>{});
  } else {
    add<softmax_of_all, Dims, Type>("automatic", softmax_call<automatic_policy, own>{});
    add<softmax_of_all, Dims, Type>("cub", softmax_call<cub_policy, foreign>{});
  }
}

// CUB's other algorithms.
template <class Type, class Dims>
void add_cub_algorithms() {
  using T = typename Type::type;
  auto const reduction = [](auto algorithm, char const* name) {
    using collective = cub::BlockReduce<T, Dims::count, decltype(algorithm)::value>;
    add<sum_in_all, Dims, Type>(std::string("cub_all:") + name, cub_reduce<collective, T, true>{});
    add<sum_in_first, Dims, Type>(std::string("cub_first:") + name, cub_reduce<collective, T, false>{});
  };
  reduction(std::integral_constant<cub::BlockReduceAlgorithm, cub::BLOCK_REDUCE_WARP_REDUCTIONS>{}, "warp_reductions");
  reduction(std::integral_constant<cub::BlockReduceAlgorithm, cub::BLOCK_REDUCE_RAKING>{}, "raking");
  reduction(std::integral_constant<cub::BlockReduceAlgorithm, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>{}, "raking_commutative_only");
  auto const scan = [](auto algorithm, char const* name) {
    add<running_sum, Dims, Type>(std::string("cub:") + name, cub_scan<cub::BlockScan<T, Dims::count, decltype(algorithm)::value>, T>{});
  };
  scan(std::integral_constant<cub::BlockScanAlgorithm, cub::BLOCK_SCAN_WARP_SCANS>{}, "warp_scans");
  scan(std::integral_constant<cub::BlockScanAlgorithm, cub::BLOCK_SCAN_RAKING_MEMOIZE>{}, "raking_memoize");
}

// The ways among which block_way.hpp chooses.
template <class Type, class Dims, block_way Way>
void add_reduce_way() {
  using T = typename Type::type;
  constexpr int partials = muster::detail::power_of_two_from(muster::detail::partials_of(Way, Dims::count));
  if constexpr (Way.each <= partials && partials / Way.each <= 32 && (Way.each != 1 || partials <= 32))
    add<sum_in_all, Dims, Type>(name_of(Way), reduce_by_way<Way, Dims, T>{});
}
template <class Type, class Dims, block_way Way>
void add_scan_way() {
  using T = typename Type::type;
  constexpr int warps = Dims::count / 32;
  if constexpr (Way.each <= warps) add<running_sum, Dims, Type>(name_of(Way), scan_by_way<Way, Dims, T>{});
}
template <class Dims>
void add_ways() {
  constexpr int warps = Dims::count / 32;
  if constexpr (warps <= 8) {
    add_reduce_way<f32, Dims, block_way{warps, 4, true}>();
    add_reduce_way<f32, Dims, block_way{warps, 8, true}>();
    add_reduce_way<f32, Dims, block_way{warps, 16, true}>();
    add_reduce_way<f32, Dims, block_way{warps, 32, true}>();
  }
  if constexpr (warps >= 4) {
    add_reduce_way<f32, Dims, block_way{1, 16, false}>();
    add_reduce_way<f32, Dims, block_way{2, 8, false}>();
    add_reduce_way<f32, Dims, block_way{2, 16, false}>();
    add_reduce_way<f32, Dims, block_way{4, 8, false}>();
    add_reduce_way<f32, Dims, block_way{4, 16, false}>();
    add_reduce_way<f32, Dims, block_way{8, 8, false}>();
    add_reduce_way<f32, Dims, block_way{8, 16, false}>();
    add_reduce_way<f64, Dims, block_way{4, 8, false}>();
    add_reduce_way<f64, Dims, block_way{4, 16, false}>();
    add_reduce_way<f64, Dims, block_way{8, 8, false}>();
  }
  add_reduce_way<f32, Dims, block_way{32, warps < 8 ? warps : 8, true}>();
  add_reduce_way<f32, Dims, block_way{32, warps < 16 ? warps : 16, false}>();
  add_reduce_way<i32, Dims, block_way{32, warps < 8 ? warps : 8, true}>();
  add_reduce_way<i32, Dims, block_way{32, 1, true}>();
  add_reduce_way<i32, Dims, block_way{32, 1, false}>();
  add_scan_way<f32, Dims, block_way{32, 1, true}>();
  add_scan_way<f32, Dims, block_way{32, 2, true}>();
  add_scan_way<f32, Dims, block_way{32, 4, true}>();
  add_scan_way<f32, Dims, block_way{32, 1, false}>();
  add_scan_way<i32, Dims, block_way{32, 1, true}>();
  add_scan_way<i32, Dims, block_way{32, 2, true}>();
  add_scan_way<i32, Dims, block_way{32, 1, false}>();
}

void add_all() {
  auto const sizes = hana::tuple_t<block_dims<64>, block_dims<128>, block_dims<256>, block_dims<512>, block_dims<1024>>;
  hana::for_each(hana::cartesian_product(hana::make_tuple(hana::tuple_t<f32, i32, f64>, sizes)), [](auto cell) {
    using type = typename decltype(+cell[hana::size_c<0>])::type;
    using dims = typename decltype(+cell[hana::size_c<1>])::type;
    add_policies<type, dims>();
    if constexpr (!std::is_same_v<type, f64>) add_cub_algorithms<type, dims>();
  });
  hana::for_each(sizes, [](auto dims) { add_ways<typename decltype(dims)::type>(); });
}

}  // namespace

int main(int argc, char** argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "bench block: there is no usable CUDA device; nothing was measured\n");
    return 77;
  }
  bench::add_device_context();
  add_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return all_right ? 0 : 1;
}
