// Where the time of a softmax of few rows goes: kernels of one step more each, from nothing to the whole, of 1, 4 and 16 rows of 4096 columns.
//   bench_few_rows [Google Benchmark's own options]
// Names are few_rows/STEP/TYPE/blocks:B/threads:T/rows:R; a row is B blocks of T threads, a lane has one access of 16 bytes, or two where a row is one block's. A call is a
// node of a CUDA graph; what a graph costs itself is taken off by the difference of a long one and a short one. Each call has its own buffers, and other memory is read
// before each replay, so that no input lies in L2. Times are medians.
#include <benchmark/benchmark.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include <muster/device/softmax_launch.hpp>
#include <muster/half.hpp>

#include "support.hpp"

namespace {

namespace device = muster::device;
namespace detail = muster::device::detail;

constexpr int columns = 4096, long_graph = 128, short_graph = 32, repetitions = 31;

// What a call has done when it stores what it has: `told`: each warp's maximum and sum are known to all warps of the row; `softmax` is the library's kernel, `not_early` the
// same without beginning early, which all others do.
enum class step { nothing, load, copy, maximum, exponentials, sum, told, softmax, not_early };
constexpr char const* name_of(step s) {
  constexpr char const* names[] = {"nothing", "load", "copy", "maximum", "exponentials", "sum", "told", "softmax", "not_early"};
  return names[static_cast<int>(s)];
}

// Values, or their exponentials, times a factor.
template <bool Exponentials>
struct scaled_result {
  static constexpr bool keeps_exponentials = Exponentials;
  template <class Exponent, class A = typename Exponent::type>
  struct finish {
    A factor;
    MUSTER_FN finish(detail::row_sum<Exponent> const& row, A) : factor(row.sum) {}
    MUSTER_FN A operator()(A value) const { return value * factor; }
  };
};

template <class T, int Blocks, int Threads, int Slots>
using library_kernel = detail::softmax_of_few_rows<detail::softmax_result<muster::empty_row::nan>, float, Blocks, Threads, Slots, detail::whole_accesses<detail::vector_bytes>>;

// The library's kernel, launched behind the one before it: nothing of it is done while that one runs.
template <class Kernel>
struct not_early {
  using shared = typename Kernel::shared;

  MUSTER_FN void operator()(auto b, shared& partials, auto... given) const {
    Kernel{}.preamble(b, partials, given...);
    Kernel{}(b, partials, given...);
  }
};

// The steps of device/few_rows_kernel.hpp up to Last, with the same pieces.
template <class T, step Last, int Blocks, int Threads, int Slots>
struct rung {
  static constexpr int warps = Blocks * Threads / muster::warp_size;
  using shared = detail::few_rows_partials<float, warps>;
  static constexpr muster::detail::after_preamble starts_early{};

  MUSTER_FN void preamble(auto b, shared& partials, auto... given) const {
    if constexpr (Last != step::nothing) library_kernel<T, Blocks, Threads, Slots>{}.preamble(b, partials, given...);
  }

  MUSTER_FN void operator()(auto b, shared& partials, detail::few_rows<T, T> m, device::as_is, device::as_is) const {
    if constexpr (Last != step::nothing) {
      using row_of_lane = detail::lane_row<T, Blocks * Threads, Slots, detail::vector_size<T>>;
      using exponent = detail::plain_exponent<float>;
      using result = scaled_result<(Last >= step::exponentials)>;
      unsigned const own = Blocks > 1 ? muster::backend::block_rank_in_cluster() : 0;
      int const rank = static_cast<int>(own) * Threads + muster::thread_rank(b);
      long long const row = muster::backend::block_index().x / Blocks;
      row_of_lane mine;
      mine.template read<0, Slots, muster::backend::reading::coherent>({m.in + row * m.in_stride, m.columns, row, 0}, {}, rank);
      detail::lane_values<result, row_of_lane, T, device::as_is, exponent> values(mine, {nullptr, 0, row, 0}, device::as_is{});
      auto const warp = muster::this_warp(b);
      detail::row_sum<exponent> made{exponent(0), 1};
      if constexpr (Last == step::load) {
        if (values.maximum_by_pairs() != 12345.0f) return;  // no input has this value
      } else if constexpr (Last >= step::maximum) {
        detail::part_of_sum<float> of_lane{values.maximum_by_pairs(), 0};
        detail::part_of_sum<float> of_warp{muster::reduce(warp, of_lane.maximum, muster::maximum{}).value(), 0};
        made.sum = of_warp.maximum;
        if constexpr (Last >= step::exponentials) made.sum *= values.sum(exponent(of_lane.maximum));
        if constexpr (Last >= step::sum) made.sum = of_warp.sum = detail::fixed_sum<2 * row_of_lane::size>(warp, made.sum * exponent(of_lane.maximum)(of_warp.maximum));
        if constexpr (Last >= step::told) {
          detail::tell_all<Blocks>(b, partials, of_warp, own);
          made.sum = partials.of_row[muster::thread_rank(b) % warps].sum;
        }
      }
      values.write(made, 1.0f, detail::span_of_row<T>{m.out + row * m.out_stride, 0, row, 0}, device::as_is{});
    }
  }
};

struct way {
  std::string name;
  std::function<void(cudaStream_t, void const* in, void* out, int rows)> launch;
  std::size_t value_bytes;
};

template <class T, step Last, int Blocks, int Threads, int Slots>
void add_step(std::vector<way>& ways, std::string const& type) {
  auto const launch = [](cudaStream_t stream, void const* in, void* out, int rows) {
    using whole = library_kernel<T, Blocks, Threads, Slots>;
    using kernel = std::conditional_t<Last == step::softmax, whole, std::conditional_t<Last == step::not_early, not_early<whole>, rung<T, Last, Blocks, Threads, Slots>>>;
    detail::few_rows<T, T> const few{static_cast<T const*>(in), static_cast<T*>(out), columns, columns, columns};
    auto const call = [&](auto... placed) {
      muster::launch(muster::on_device(stream), placed..., muster::block_dims<Threads>{}, kernel{}, few, device::as_is{}, device::as_is{});
    };
    muster::grid_dims const grid(static_cast<unsigned>(rows * Blocks));
    if constexpr (Blocks == 1) call(grid);
    else call(grid, muster::cluster_dims<Blocks>{});
  };
  ways.push_back({std::string("few_rows/") + name_of(Last) + "/" + type + "/blocks:" + std::to_string(Blocks) + "/threads:" + std::to_string(Threads), launch, sizeof(T)});
}
template <class T, int Blocks, int Threads, int Slots, step... Steps>
void add_steps(std::vector<way>& ways, std::string const& type) {
  (add_step<T, Steps, Blocks, Threads, Slots>(ways, type), ...);
}
template <class T, int Blocks, int Threads, int Slots>
void add_ladder(std::vector<way>& ways, std::string const& type) {
  add_steps<T, Blocks, Threads, Slots, step::nothing, step::load, step::copy, step::maximum, step::exponentials, step::sum, step::told, step::softmax, step::not_early>(ways, type);
}

// Values between -4 and 4.
template <class T>
__global__ void fill(T* data, int count) {
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] = static_cast<T>(static_cast<float>((i * 2654435761u >> 8) % 8192) / 1024.0f - 4.0f);
}

__global__ void read_all(float4 const* data, long long count, float* never) {
  float sum = 0;
  for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < count; i += static_cast<long long>(gridDim.x) * blockDim.x) sum += data[i].x;
  if (sum == -1) *never = sum;
}

// A graph of so many calls.
cudaGraphExec_t graph_of(way const& w, cudaStream_t stream, int calls, char* in, char* out, int rows) {
  std::size_t const bytes = w.value_bytes * columns * rows;
  cudaGraph_t graph;
  cudaGraphExec_t replay;
  bench::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
  for (int i = 0; i < calls; ++i) w.launch(stream, in + i * bytes, out + i * bytes, rows);
  bench::check(cudaStreamEndCapture(stream, &graph), "capture");
  bench::check(cudaGraphInstantiate(&replay, graph, 0), "graph");
  bench::check(cudaGraphDestroy(graph), "graph");
  return replay;
}

void add_all() {
  std::vector<way> ways;
  for (bool const is_float : {true, false})
    ways.push_back({std::string("few_rows/memcpy/") + (is_float ? "f32" : "f16"), [is_float](cudaStream_t stream, void const* in, void* out, int rows) {
      bench::check(cudaMemcpyAsync(out, in, static_cast<std::size_t>(rows) * columns * (is_float ? 4 : 2), cudaMemcpyDeviceToDevice, stream), "copy");
    }, is_float ? 4u : 2u});
  add_ladder<float, 1, 512, 2>(ways, "f32");
  add_ladder<float, 8, 128, 1>(ways, "f32");
  add_ladder<__half, 1, 256, 2>(ways, "f16");
  add_ladder<__half, 8, 64, 1>(ways, "f16");

  constexpr std::size_t other_bytes = 1u << 30;
  bench::device_array<char> in(sizeof(float) * columns * 16 * long_graph), out(sizeof(float) * columns * 16 * long_graph), other(other_bytes);
  cudaStream_t stream;
  bench::check(cudaStreamCreate(&stream), "stream");
  constexpr int most_values = columns * 16 * long_graph;
  for (auto const& w : ways) {
    if (w.value_bytes == 4) fill<<<most_values / 256, 256, 0, stream>>>(reinterpret_cast<float*>(in.data()), most_values);
    else fill<<<most_values / 256, 256, 0, stream>>>(reinterpret_cast<__half*>(in.data()), most_values);
    for (int const rows : {1, 4, 16}) {
      std::vector<double> of_length[2];
      cudaGraphExec_t const graphs[] = {graph_of(w, stream, short_graph, in.data(), out.data(), rows), graph_of(w, stream, long_graph, in.data(), out.data(), rows)};
      cudaEvent_t begin, end;
      bench::check(cudaEventCreate(&begin), "event");
      bench::check(cudaEventCreate(&end), "event");
      for (int r = 0; r <= repetitions; ++r) {
        for (int const length : {0, 1}) {
          read_all<<<1024, 512, 0, stream>>>(reinterpret_cast<float4 const*>(other.data()), other_bytes / sizeof(float4), reinterpret_cast<float*>(other.data()));
          bench::check(cudaEventRecord(begin, stream), "event");
          bench::check(cudaGraphLaunch(graphs[length], stream), "graph");
          bench::check(cudaEventRecord(end, stream), "event");
          bench::check(cudaEventSynchronize(end), w.name.c_str());
          float ms = 0;
          bench::check(cudaEventElapsedTime(&ms, begin, end), "event");
          if (r > 0) of_length[length].push_back(ms * 1e-3);
        }
      }
      for (auto const graph : graphs) bench::check(cudaGraphExecDestroy(graph), "graph");
      bench::check(cudaEventDestroy(begin), "event");
      bench::check(cudaEventDestroy(end), "event");
      double const seconds = (bench::median(of_length[1]) - bench::median(of_length[0])) / (long_graph - short_graph);
      std::string const name = w.name + "/rows:" + std::to_string(rows);
      std::fprintf(stderr, "%s %.3f us\n", name.c_str(), seconds * 1e6);
      benchmark::RegisterBenchmark(name.c_str(), [seconds](benchmark::State& state) {
        for (auto _ : state) state.SetIterationTime(seconds);
      })->UseManualTime()->Iterations(1)->Unit(benchmark::kNanosecond);
    }
  }
}

}  // namespace

int main(int argc, char** argv) { return bench::run("few_rows", argc, argv, add_all); }
