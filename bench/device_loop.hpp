// What the benchmarks of a warp's, a block's and a cluster's algorithms share: how a loop on the device that feeds each result into the next
// call is timed. Latency: one group alone, by the multiprocessor's own clock; throughput: the chip full, by events.
#pragma once

#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <vector>

#include "support.hpp"

namespace bench {

// Keeps a value in a register where the compiler cannot see through it.
template <class T>
__device__ void opaque(T& v) {
  if constexpr (sizeof(T) == 4) asm volatile("" : "+r"(reinterpret_cast<unsigned&>(v)));
  else if constexpr (sizeof(T) == 8) asm volatile("" : "+l"(reinterpret_cast<unsigned long long&>(v)));
}

// How many blocks of that many threads fill the chip `waves` times.
inline int blocks_that_fill(int threads, int waves) {
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "multiprocessors");
  return multiprocessors * (2048 / threads) * waves;
}

// one(cycles) launches the group alone, which writes the cycles of its loop; full() launches the grid that fills the chip. Reports
// latency_cycles of a call and returns the median seconds of full().
template <class One, class Full>
double time_loops(benchmark::State& state, int rounds, One one, Full full) {
  device_array<long long> cycles(1);
  std::vector<double> latencies, times;
  for (int i = 0; i < 9; ++i) {
    one(cycles.data());
    long long taken = 0;
    check(cudaMemcpy(&taken, cycles.data(), sizeof taken, cudaMemcpyDeviceToHost), "latency");
    latencies.push_back(static_cast<double>(taken) / rounds);
  }
  milliseconds(full);
  for (auto _ : state) {
    double const ms = milliseconds(full);
    times.push_back(ms);
    state.SetIterationTime(ms * 1e-3);
  }
  state.counters["latency_cycles"] = median(latencies);
  return median(times) * 1e-3;
}

}  // namespace bench
