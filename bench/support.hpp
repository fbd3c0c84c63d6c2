// What the GPU benchmarks share: the program around them, launches timed by events, and what a reader must know of the machine, in the report's context.
#pragma once

#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <cub/version.cuh>

namespace bench {

inline void check(cudaError_t status, char const* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

// The first word of a line that is a number with two points: "580.159.04".
inline std::string version_in(std::string const& line) {
  std::istringstream words(line);
  for (std::string word; words >> word;)
    if (std::count(word.begin(), word.end(), '.') == 2 && word.find_first_not_of("0123456789.") == std::string::npos) return word;
  return "unknown";
}

// Device name, driver, CUDA and CUB version, for the context block of the report.
inline void add_device_context() {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "device properties");
  int driver = 0, runtime = 0, clock_khz = 0;
  check(cudaDriverGetVersion(&driver), "driver version");
  check(cudaRuntimeGetVersion(&runtime), "runtime version");
  check(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0), "clock rate");
  auto const version = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
  benchmark::AddCustomContext("gpu", properties.name);
  benchmark::AddCustomContext("gpu_multiprocessors", std::to_string(properties.multiProcessorCount));
  benchmark::AddCustomContext("gpu_clock_mhz", std::to_string(clock_khz / 1000));
  benchmark::AddCustomContext("cuda_driver_api", version(driver));
  benchmark::AddCustomContext("cuda_runtime", version(runtime));
  benchmark::AddCustomContext("cub_version", std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." + std::to_string(CUB_SUBMINOR_VERSION));
  // The driver's own version is not in the runtime API; the kernel module tells it.
  if (std::FILE* file = std::fopen("/proc/driver/nvidia/version", "r")) {
    char line[256] = {};
    if (std::fgets(line, sizeof line, file) != nullptr) benchmark::AddCustomContext("driver", version_in(line));
    std::fclose(file);
  }
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// Device memory of one benchmark.
template <class T>
class device_array {
 public:
  explicit device_array(std::size_t size) {
    check(cudaMalloc(&data_, size * sizeof(T)), "device memory");
    check(cudaMemset(data_, 1, size * sizeof(T)), "device memory");
  }
  ~device_array() { cudaFree(data_); }
  device_array(device_array const&) = delete;
  device_array& operator=(device_array const&) = delete;
  T* data() { return data_; }

 private:
  T* data_ = nullptr;
};

// Milliseconds of one launch, by CUDA events.
template <class Launch>
double milliseconds(Launch launch) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "event");
  check(cudaEventCreate(&end), "event");
  check(cudaEventRecord(begin), "event");
  launch();
  check(cudaGetLastError(), "launch");
  check(cudaEventRecord(end), "event");
  check(cudaEventSynchronize(end), "kernel");
  float ms = 0;
  check(cudaEventElapsedTime(&ms, begin, end), "event");
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return ms;
}

// Set by a benchmark that found a wrong result.
inline bool all_right = true;

// A benchmark program: `add_all` registers, or measures and registers, after the arguments that are Google Benchmark's own were taken. Ends with 77 where there is no GPU,
// with 2 for arguments that nobody takes, with 1 where a result was wrong.
template <class AddAll>
int run(char const* name, int argc, char** argv, AddAll add_all) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "bench %s: there is no usable CUDA device; nothing was measured\n", name);
    return 77;
  }
  add_device_context();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  add_all();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return all_right ? 0 : 1;
}

}  // namespace bench
