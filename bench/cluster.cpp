// Cluster algorithms beside what one writes with cooperative groups: tiles of a warp fold, and once more what they put into shared memory;
// one thread leaves the block's partial there, and all threads read those of the other blocks between two cluster barriers. CUB has no
// algorithms of clusters.
//
//   cluster_reduce/automatic/f32/blocks:4/threads:256           the fold in every thread
//   cluster_reduce/cooperative_groups/...
//   cluster_reduce_to/...                                       the fold in the cluster's first thread only
//
// latency_cycles: one cluster alone; cluster_ops_per_second: the chip full.
#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include <boost/hana.hpp>

#include <muster/muster.hpp>

#include "block_cells.hpp"
#include "cluster_by_hand.hpp"
#include "device_loop.hpp"

namespace hana = boost::hana;

namespace {

using namespace bench;
using muster::block_dims, muster::cluster_dims;

template <class Clusters, class Dims>
using dims_of = muster::placed_dims<Dims, Clusters, false>;

// A call has a type `memory` in shared memory, begin(block, memory), done once, and operator()(begun, value). trips: calls in a row, each
// fed the last one's result.
template <class Call, class Clusters, class Dims, class T>
__global__ void __launch_bounds__(Dims::count) call_in_cluster(Call call, int trips, T const* in, T* out, long long* cycles) {
  __shared__ typename Call::memory memory;
  auto const block = muster::this_block<dims_of<Clusters, Dims>>();
  int const thread = muster::thread_rank(muster::this_cluster(block));
  auto const begun = call.begin(block, memory);
  T v = in[thread];
  muster::sync(muster::this_cluster(block));
  long long const begin = clock64();
#pragma unroll 1
  for (int i = 0; i < trips; ++i) {
    v = call(begun, v);
    opaque(v);
  }
  long long const end = clock64();
  out[thread] = v;
  if (cycles != nullptr && thread == 0) *cycles = end - begin;
  muster::sync(muster::this_cluster(block));
}

// --- muster ---

template <class T, class Clusters, class Dims>
struct own_call {
  using memory = muster::cluster_storage<T, Clusters, Dims>;
  template <class Block>
  __device__ auto begin(Block block, memory& m) const {
    auto const cluster = muster::this_cluster(block);
    return begun_call<decltype(muster::this_cluster(block)), memory>{cluster, m};
  }
};
template <class T, class Clusters, class Dims>
struct own_reduce : own_call<T, Clusters, Dims> {
  template <class Begun>
  __device__ T operator()(Begun const& at, T v) const {
    return muster::reduce(at.block, at.storage, v, muster::plus{}).value();
  }
};
template <class T, class Clusters, class Dims>
struct own_reduce_to : own_call<T, Clusters, Dims> {
  template <class Begun>
  __device__ T operator()(Begun const& at, T v) const {
    auto const held = muster::reduce_to<0>(at.block, at.storage, v, muster::plus{});
    return muster::detail::holder_access::of(held);
  }
};
template <class T, class Clusters, class Dims>
struct own_scan : own_call<T, Clusters, Dims> {
  template <class Begun>
  __device__ T operator()(Begun const& at, T v) const {
    return muster::inclusive_scan(at.block, at.storage, v, muster::plus{});
  }
};
template <class T, class Clusters, class Dims>
struct own_softmax : own_call<T, Clusters, Dims> {
  template <class Begun>
  __device__ T operator()(Begun const& at, T v) const {
    return muster::softmax(at.block, at.storage, v);
  }
};

// --- measuring ---

struct cluster_cell {
  int blocks, threads;
  void (*run)(int clusters, int trips, void const* in, void* out, long long* cycles);
};
template <class Clusters, class Dims, class T, class Call>
void run_call(int clusters, int trips, void const* in, void* out, long long* cycles) {
  auto const entry = call_in_cluster<Call, Clusters, Dims, T>;
  check(cudaFuncSetAttribute(entry, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "cluster size");
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = Clusters::count;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(clusters * Clusters::count));
  config.blockDim = dim3(Dims::count);
  config.attrs = &attribute;
  config.numAttrs = 1;
  check(cudaLaunchKernelEx(&config, entry, Call{}, trips, static_cast<T const*>(in), static_cast<T*>(out), cycles), "launch");
}

template <class Result, class T>
bool is_right(cluster_cell const& call) {
  constexpr bool is_softmax = std::is_same_v<Result, softmax_of_all>;
  auto const count = static_cast<std::size_t>(call.blocks * call.threads);
  std::vector<T> in, got(count);
  for (std::size_t i = 0; i < count; ++i)
    in.push_back(static_cast<T>(static_cast<int>(i * 7919 % 201) - 100) / static_cast<T>(is_softmax ? 16 : 1));
  device_array<T> device_in(count), device_out(count);
  check(cudaMemcpy(device_in.data(), in.data(), count * sizeof(T), cudaMemcpyHostToDevice), "input");
  call.run(1, 1, device_in.data(), device_out.data(), nullptr);
  check(cudaMemcpy(got.data(), device_out.data(), count * sizeof(T), cudaMemcpyDeviceToHost), "results");
  std::vector<double> const values(in.begin(), in.end());
  for (std::size_t thread = 0; thread < count; thread += thread % 2 == 0 ? 1 : 30) {
    if (!Result::is_result(static_cast<int>(thread))) continue;
    double const want = Result::expected(values, static_cast<int>(thread)), have = static_cast<double>(got[thread]);
    if (!(std::abs(have - want) <= (is_softmax ? 1e-5 * want : 0))) return false;
  }
  return true;
}

template <class Result, class T>
void measure_cluster(benchmark::State& state, cluster_cell const& call) {
  if (!is_right<Result, T>(call)) {
    all_right = false;
    state.SkipWithError("wrong results");
    return;
  }
  int const clusters = blocks_that_fill(call.threads, waves) / call.blocks;
  auto const threads = static_cast<std::size_t>(call.blocks * call.threads);
  device_array<T> data(threads), results(threads);
  double const seconds = time_loops(
      state, rounds, [&](long long* cycles) { call.run(1, rounds, data.data(), results.data(), cycles); },
      [&] { call.run(clusters, rounds, data.data(), results.data(), nullptr); });
  state.counters["cluster_ops_per_second"] = static_cast<double>(clusters) * rounds / seconds;
}

template <class Result, class Clusters, class Dims, class Type, class Call>
void add_call(char const* result, char const* how, Call) {
  using T = typename Type::type;
  cluster_cell const cell{Clusters::count, Dims::count, &run_call<Clusters, Dims, T, Call>};
  std::string const name = std::string(result) + "/" + how + "/" + Type::name + "/blocks:" + std::to_string(cell.blocks) +
                           "/threads:" + std::to_string(cell.threads);
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { measure_cluster<Result, T>(state, cell); })
      ->UseManualTime()
      ->Iterations(5);
}

void add_all() {
  auto const clusters = hana::tuple_t<cluster_dims<2>, cluster_dims<4>, cluster_dims<8>, cluster_dims<16>>;
  auto const sizes = hana::tuple_t<block_dims<128>, block_dims<256>, block_dims<1024>>;
  hana::for_each(hana::cartesian_product(hana::make_tuple(hana::tuple_t<f32, i32, f64>, clusters, sizes)), [](auto cell) {
    using type = typename decltype(+cell[hana::size_c<0>])::type;
    using blocks = typename decltype(+cell[hana::size_c<1>])::type;
    using dims = typename decltype(+cell[hana::size_c<2>])::type;
    using T = typename type::type;
    add_call<sum_in_all, blocks, dims, type>("cluster_reduce", "automatic", own_reduce<T, blocks, dims>{});
    add_call<sum_in_all, blocks, dims, type>("cluster_reduce", "cooperative_groups", library_reduce<false, T, blocks, dims>{});
    if constexpr (std::is_same_v<type, i32> || blocks::count == 4 || dims::count == 256) {  // of other types not every pair
      add_call<sum_in_first, blocks, dims, type>("cluster_reduce_to", "automatic", own_reduce_to<T, blocks, dims>{});
      add_call<sum_in_first, blocks, dims, type>("cluster_reduce_to", "cooperative_groups", library_reduce<true, T, blocks, dims>{});
    }
    if constexpr (!std::is_same_v<type, f64>) {
      add_call<running_sum, blocks, dims, type>("cluster_inclusive_scan", "automatic", own_scan<T, blocks, dims>{});
      add_call<running_sum, blocks, dims, type>("cluster_inclusive_scan", "cooperative_groups", library_scan<T, blocks, dims>{});
    }
    if constexpr (!std::is_same_v<type, i32>) {
      add_call<softmax_of_all, blocks, dims, type>("cluster_softmax", "automatic", own_softmax<T, blocks, dims>{});
      add_call<softmax_of_all, blocks, dims, type>("cluster_softmax", "cooperative_groups", library_softmax<T, blocks, dims>{});
    }
  });
}

}  // namespace

int main(int argc, char** argv) { return bench::run("cluster", argc, argv, &add_all); }
