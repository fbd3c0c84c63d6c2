// Row softmax of 2^28 elements: fraction of a copy of the same size, measured in the same run, and the error against float64.
//   bench_softmax [--all-shapes] [--log2-elements=28] [--repetitions=11] [--types=f32,f16,bf16] [--n=1024,1025] [--offset=0] [--pad=0] [--values=normal] [--robustness]
//                 [Google Benchmark's own options]
// All ways of a cell take turns with the copy, repetition by repetition; times are medians. --offset shifts both base pointers, --pad widens both strides, in elements;
// --values=spread lies between -80 and 80, --values=minus_infinity is nothing else. --robustness measures what is not as one would wish, one after the other: an offset of 1,
// a pad of 1, both kinds of values, 2^32 elements. What is not as usual stands at the end of a result's name, and bench/report.py reads these.
#include <benchmark/benchmark.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "softmax/ways.hpp"
#include "support.hpp"

namespace {

enum class content { normal, spread, minus_infinity };
constexpr char const* names_of_content[] = {"normal", "spread", "minus_infinity"};

// What a matrix is like besides its type and its columns.
struct condition {
  long long offset = 0, pad = 0;
  content values = content::normal;
  int log2_elements = 28;

  // As it stands in a result's name: "", "/offset:1".
  std::string suffix() const {
    std::string text;
    if (offset != 0) text += "/offset:" + std::to_string(offset);
    if (pad != 0) text += "/pad:" + std::to_string(pad);
    if (values != content::normal) text += std::string("/values:") + names_of_content[static_cast<int>(values)];
    if (log2_elements != 28) text += "/log2_elements:" + std::to_string(log2_elements);
    return text;
  }
};

struct settings {
  bool all_shapes = false;
  int repetitions = 11;
  std::vector<condition> conditions{{}};
  std::vector<std::string> types{"f32", "f16", "bf16"};
  std::vector<long long> columns{8,    16,   32,   48,   63,   64,   100,  128,   192,   256,   512,   768,    1000,   1024,  1025,
                                 1536, 2048, 2049, 4096, 4097, 8192, 8193, 16384, 32768, 50257, 65536, 128256, 131072, 262144};
};

// Values of a normal distribution's middle, between -6 and 6, times `scale`, from a hash of the place: the same in every run.
__global__ void fill(void* data, long long count, int type, float scale) {
  for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < count; i += static_cast<long long>(gridDim.x) * blockDim.x) {
    unsigned long long h = static_cast<unsigned long long>(i) * 0x9e3779b97f4a7c15ull;
    h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9ull;
    h ^= h >> 32;
    float const middle = (static_cast<float>(h & 0xffff) + static_cast<float>(h >> 16 & 0xffff) + static_cast<float>(h >> 32 & 0xffff)) / 16384.0f - 6.0f;
    float const value = scale == -HUGE_VALF ? scale : middle * scale;
    if (type == 0) static_cast<float*>(data)[i] = value;
    if (type == 1) static_cast<__half*>(data)[i] = __float2half(value);
    if (type == 2) static_cast<__nv_bfloat16*>(data)[i] = __float2bfloat16(value);
  }
}

double number(std::string const& type, void const* data, long long i) {
  if (type == "f32") return static_cast<float const*>(data)[i];
  if (type == "f16") return __half2float(static_cast<__half const*>(data)[i]);
  return __bfloat162float(static_cast<__nv_bfloat16 const*>(data)[i]);
}

// The largest error of sampled rows, relative to the largest result of its row, which of a row of -inf is NaN; infinity if a value was not written.
double error_of(std::string const& type, std::size_t bytes, bench::row_matrices const& m) {
  long long const samples = std::max(2ll, std::min({m.rows, 64ll, (1ll << 19) / m.columns}));
  double worst = 0;
  std::vector<unsigned char> in(m.columns * bytes), out(m.columns * bytes);
  for (long long s = 0; s < samples; ++s) {
    long long const row = samples == 1 ? 0 : s * (m.rows - 1) / (samples - 1);
    bench::check(cudaMemcpy(in.data(), static_cast<char const*>(m.in) + row * m.stride * bytes, in.size(), cudaMemcpyDeviceToHost), "sample");
    bench::check(cudaMemcpy(out.data(), static_cast<char const*>(m.out) + row * m.stride * bytes, out.size(), cudaMemcpyDeviceToHost), "sample");
    double largest = -HUGE_VAL, sum = 0;
    for (long long i = 0; i < m.columns; ++i) largest = std::max(largest, number(type, in.data(), i));
    for (long long i = 0; i < m.columns; ++i) sum += std::exp(number(type, in.data(), i) - largest);
    for (long long i = 0; i < m.columns; ++i) {
      if (largest == -HUGE_VAL) {
        worst = std::isnan(number(type, out.data(), i)) ? worst : HUGE_VAL;
        continue;
      }
      double const off = std::abs(number(type, out.data(), i) - std::exp(number(type, in.data(), i) - largest) / sum) * sum;
      worst = off <= worst ? worst : std::isnan(off) ? HUGE_VAL : off;
    }
  }
  return worst;
}

struct measured {
  std::string name;
  double seconds = 0, copy_seconds = 0, bytes = 0, error = 0;
  bool right = false;
};

void measure_cell(settings const& set, condition const& at, std::string const& type, long long columns, char* in, char* out, std::vector<measured>& results) {
  std::size_t const bytes = type == "f32" ? 4 : 2;
  long long const stride = columns + at.pad;
  bench::row_matrices const m{in + at.offset * bytes, out + at.offset * bytes, (1ll << at.log2_elements) / stride, columns, stride};
  if (m.rows == 0) return;
  auto const ways_of = type == "f32" ? bench::softmax_ways_f32 : type == "f16" ? bench::softmax_ways_f16 : bench::softmax_ways_bf16;
  auto const ways = ways_of(m, set.all_shapes);
  // Of rows that lie apart, the copy is of the same shape.
  auto const copy = [&] {
    if (at.pad == 0) bench::check(cudaMemcpyAsync(m.out, m.in, m.rows * columns * bytes, cudaMemcpyDeviceToDevice), "copy");
    else bench::check(cudaMemcpy2DAsync(m.out, stride * bytes, m.in, stride * bytes, columns * bytes, m.rows, cudaMemcpyDeviceToDevice), "copy");
  };
  std::vector<double> errors;
  for (auto const& way : ways) {
    // 0xff makes NaN, which is no right result but of rows of -inf.
    bench::check(cudaMemset(out, at.values == content::minus_infinity ? 0 : 0xff, (1ull << at.log2_elements) * bytes), "poison");
    way.launch(m);
    bench::check(cudaDeviceSynchronize(), way.name.c_str());
    errors.push_back(error_of(type, bytes, m));
  }
  copy();
  std::vector<std::vector<double>> times(ways.size() + 1);
  // Each runs twice and the second time counts: what the one before it leaves unwritten in L2 would be on its time.
  for (int r = 0; r < set.repetitions; ++r) {
    for (std::size_t w = 0; w < times.size(); ++w) {
      auto const launch = [&] { w == 0 ? copy() : ways[w - 1].launch(m); };
      launch();
      times[w].push_back(bench::milliseconds(launch));
    }
  }
  double const copied = bench::median(times[0]) * 1e-3;
  std::string line = type + " n " + std::to_string(columns) + at.suffix() + ":";
  for (std::size_t w = 0; w < ways.size(); ++w) {
    measured const result{"softmax/" + ways[w].name + "/" + type + "/n:" + std::to_string(columns) + at.suffix(), bench::median(times[w + 1]) * 1e-3, copied, 2.0 * m.rows * columns * bytes, errors[w],
                          errors[w] < (type == "f32" ? 1e-5 : 1e-2)};
    results.push_back(result);
    char text[128];
    std::snprintf(text, sizeof text, " %s %.3f%s", ways[w].name.c_str(), copied / result.seconds, result.right ? "" : " WRONG");
    line += text;
  }
  std::fprintf(stderr, "%s\n", line.c_str());
}

// The value of `--name=value`; removes the argument.
bool take(int& argc, char** argv, std::string const& name, std::string& value) {
  for (int i = 1; i < argc; ++i) {
    std::string const argument = argv[i];
    if (argument == "--" + name) value = "";
    else if (argument.rfind("--" + name + "=", 0) == 0) value = argument.substr(name.size() + 3);
    else continue;
    for (int j = i; j + 1 < argc; ++j) argv[j] = argv[j + 1];
    --argc;
    return true;
  }
  return false;
}

std::vector<std::string> parts_of(std::string const& list) {
  std::vector<std::string> result;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) result.push_back(part);
  return result;
}

// Measures every cell and registers what was found, so that Google Benchmark reports it.
void add_all(settings const& set) {
  std::vector<measured> results;
  for (auto const& at : set.conditions) {
    std::size_t const room = (1ull << at.log2_elements) + 1024;
    bench::device_array<float> in(room), out(room);
    for (auto const& type : set.types) {
      float const scale = at.values == content::normal ? 1.0f : at.values == content::spread ? 80.0f / 6.0f : -HUGE_VALF;
      fill<<<1024, 256>>>(in.data(), static_cast<long long>(room), type == "f32" ? 0 : type == "f16" ? 1 : 2, scale);
      bench::check(cudaDeviceSynchronize(), "fill");
      for (long long columns : set.columns) measure_cell(set, at, type, columns, reinterpret_cast<char*>(in.data()), reinterpret_cast<char*>(out.data()), results);
    }
  }
  for (auto const& result : results) {
    bench::all_right = bench::all_right && result.right;
    benchmark::RegisterBenchmark(result.name.c_str(), [result](benchmark::State& state) {
      for (auto _ : state) state.SetIterationTime(result.seconds);
      state.counters["of_copy"] = result.copy_seconds / result.seconds;
      state.counters["copy_gb_per_second"] = result.bytes / result.copy_seconds * 1e-9;
      state.counters["gb_per_second"] = result.bytes / result.seconds * 1e-9;
      state.counters["error"] = result.error;
    })->UseManualTime()->Iterations(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  settings set;
  condition& only = set.conditions.front();
  std::string value;
  if (take(argc, argv, "all-shapes", value)) set.all_shapes = true;
  if (take(argc, argv, "log2-elements", value)) only.log2_elements = std::stoi(value);
  if (take(argc, argv, "repetitions", value)) set.repetitions = std::stoi(value);
  if (take(argc, argv, "offset", value)) only.offset = std::stoll(value);
  if (take(argc, argv, "pad", value)) only.pad = std::stoll(value);
  if (take(argc, argv, "values", value)) {
    auto const* const name = std::find(std::begin(names_of_content), std::end(names_of_content), value);
    if (name == std::end(names_of_content)) {
      std::fprintf(stderr, "bench softmax: --values=%s: normal, spread or minus_infinity\n", value.c_str());
      return 2;
    }
    only.values = static_cast<content>(name - names_of_content);
  }
  if (take(argc, argv, "types", value)) set.types = parts_of(value);
  if (take(argc, argv, "n", value)) {
    set.columns.clear();
    for (auto const& part : parts_of(value)) set.columns.push_back(std::stoll(part));
  }
  bool const is_condition_asked_for = !only.suffix().empty();
  if (take(argc, argv, "robustness", value)) {
    if (is_condition_asked_for) {
      std::fprintf(stderr, "bench softmax: --robustness has conditions of its own: leave out --offset, --pad, --values and --log2-elements\n");
      return 2;
    }
    set.conditions = {{.offset = 1}, {.pad = 1}, {.values = content::spread}, {.values = content::minus_infinity}, {.log2_elements = 32}};
  }
  return bench::run("softmax", argc, argv, [&] { add_all(set); });
}
