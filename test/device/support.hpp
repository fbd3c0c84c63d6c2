// What the tests of the device level share: matrices of every kind of content and place, a float64 reference, and the sizes at which kernels change.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include <muster/buffer.hpp>
#include <muster/device/softmax.hpp>

#include "support/values.hpp"

// What several sources call is compiled in one, softmax_f32.cpp.
#define MUSTER_TEST_SOFTMAX_OF_FLOATS(Target)                                                                                                              \
  template void muster::device::softmax<muster::empty_row::nan, Target, float, float>(Target const&, float const*, float*, long long, long long,           \
                                                                                      muster::device::row_strides, muster::device::as_is, muster::device::as_is)
#if defined(__CUDACC__)
extern MUSTER_TEST_SOFTMAX_OF_FLOATS(muster::device_target);
#else
extern MUSTER_TEST_SOFTMAX_OF_FLOATS(muster::emulator_target);
#endif

namespace device_tests {

namespace device = muster::device;
using test::scrambled;
inline constexpr double infinity = std::numeric_limits<double>::infinity();

// f(name, target) on the emulator or, in a build by nvcc, on the GPU alone: dozens of kernels for each pair of types need not be compiled for both in both builds.
template <class F>
void for_each_target(F const& f) {
#if defined(__CUDACC__)
  if (!muster::has_device()) SKIP("there is no GPU here; the build by the host's compiler runs this test on the emulator");
  f("GPU", muster::on_device());
#else
  muster::emulator::options options;
  options.seed = 20240229;
  f("emulator", muster::on_emulator(options));
#endif
}

enum class content { random, equal, wide, masked, special, tiny, huge };
inline constexpr content all_contents[] = {content::random, content::equal, content::wide, content::masked, content::special, content::tiny, content::huge};

// The value of one place. `special`: rows of only -inf, with a NaN, with +inf, with one finite value; `wide`: spreads of 160 around offsets of 1000; `huge`: near the
// ends of the type.
template <class T>
double content_at(content what, long long row, long long column, long long columns) {
  std::uint64_t const h = scrambled(static_cast<std::uint64_t>(row * 1000003 + column) * 7 + static_cast<std::uint64_t>(what));
  double const unit = static_cast<double>(h % 200001) / 100000.0 - 1;
  long long const chosen = static_cast<long long>(scrambled(static_cast<std::uint64_t>(row)) % static_cast<std::uint64_t>(columns));
  switch (what) {
    case content::random: return 4 * unit;
    case content::equal: return static_cast<double>(row % 5) - 2;
    case content::wide: return 80 * unit + (row % 3 - 1) * 1000.0;
    case content::masked: return h % 3 == 0 && column != chosen ? -infinity : unit;
    case content::special:
      switch (row % 4) {
        case 0: return -infinity;
        case 1: return column == chosen ? std::nan("") : unit;
        case 2: return column == chosen ? infinity : unit;
        default: return column == chosen ? unit : -infinity;
      }
    case content::tiny: return unit * 1e-42;
    case content::huge: return (column == chosen ? 1 : -1) * (sizeof(T) == 2 ? 6e4 : 3e38) * (row % 2 == 0 ? 1 : -1);
  }
  return 0;
}

struct place {
  long long rows, columns;
  long long in_offset = 0, out_offset = 0;  // of the base pointers, in values
  long long in_pad = 0, out_pad = 0;        // stride - columns
  bool in_place = false;

  std::string text() const {
    std::ostringstream stream;
    stream << rows << " x " << columns << ", offsets " << in_offset << " " << out_offset << ", pads " << in_pad << " " << out_pad << (in_place ? ", in place" : "");
    return stream.str();
  }
};

// The relative error of a result of type Out that was rounded once, of float arithmetic, or of double's.
template <class In, class Out>
double rounding() {
  if (sizeof(Out) == 2) return static_cast<float>(Out(1.00390625f)) == 1.00390625f ? 6e-4 : 4.5e-3;  // 1 + 2^-8 is a __half, but no bfloat16
  return std::is_same_v<In, double> && std::is_same_v<Out, double> ? 1e-14 : 4e-6;
}
template <class Out>
double smallest_step() {
  return sizeof(Out) == 2 ? 6e-8 : 1.2e-38;
}

enum class operation { softmax, log_softmax, log_sum_exp };

// Compares a row with float64; empty if it is right.
template <class In, class Out>
std::string difference(operation what, std::vector<double> const& x, Out const* got, muster::empty_row empty) {
  double largest = -infinity;
  long double sum = 0;  // of many terms, of which double's own rounding would show
  bool has_nan = false;
  for (double v : x) {
    has_nan = has_nan || std::isnan(v);
    if (v > largest) largest = v;
  }
  bool const is_empty = largest == -infinity && !has_nan;
  double const reference = std::isinf(largest) && (what == operation::log_sum_exp || (is_empty && empty == muster::empty_row::zero)) ? 0 : largest;
  for (double v : x) sum += std::exp(v - reference);
  std::size_t const count = what == operation::log_sum_exp ? 1 : x.size();
  for (std::size_t i = 0; i < count; ++i) {
    double expected = 0, bound = 0;
    double const log_sum = static_cast<double>(reference + std::log(sum));
    if (what == operation::softmax) {
      expected = is_empty && empty == muster::empty_row::zero ? 0 : static_cast<double>(std::exp(x[i] - reference) / sum);
      // The exponent is rounded, so that the relative error of a small result grows with its logarithm.
      bound = smallest_step<Out>();
      if (expected > 0) bound += rounding<In, Out>() * expected * (1 + std::abs(x[i] - reference) / 8);
    } else {
      expected = what == operation::log_sum_exp ? log_sum : is_empty && empty == muster::empty_row::zero ? -infinity : x[i] - log_sum;
      bound = rounding<In, Out>() * std::max(1.0, std::max(std::abs(expected), std::abs(log_sum)));
      double const most = sizeof(Out) == 8 ? 1e308 : sizeof(Out) == 2 && rounding<In, Out>() < 1e-3 ? 65504 : 3.4e38;
      if (std::abs(expected) > most) expected = expected < 0 ? -infinity : infinity;
    }
    double const value = static_cast<double>(got[i]);
    bool const same = std::isnan(expected) ? std::isnan(value) : std::isinf(expected) || std::isinf(value) ? expected == value : std::abs(value - expected) <= bound;
    if (!same) {
      std::ostringstream text;
      text << "column " << i << ": expected " << expected << ", got " << value;
      return text.str();
    }
  }
  return "";
}

// Runs one operation on one matrix by run(from, to, strides) and compares every value, and every value between rows, which must be as it was.
template <operation What, class In, class Out, muster::empty_row Empty = muster::empty_row::nan, class Target, class Run>
std::string compare_run(Target const& target, content filled, place const& p, Run const& run) {
  constexpr operation what = What;
  long long const in_stride = p.columns + p.in_pad, width = what == operation::log_sum_exp ? 1 : p.columns, out_stride = width + p.out_pad;
  std::vector<In> in(static_cast<std::size_t>(p.in_offset + (p.rows - 1) * in_stride + p.columns));
  for (long long i = 0; i < static_cast<long long>(in.size()); ++i) {
    long long const at = i - p.in_offset;
    // What lies between rows would be seen if it were used.
    in[i] = static_cast<In>(at >= 0 && at % in_stride < p.columns ? content_at<In>(filled, at / in_stride, at % in_stride, p.columns) : std::nan(""));
  }
  Out const poison = static_cast<Out>(-7.0f);
  auto const in_buffer = muster::buffer<In>(target, in);
  std::vector<Out> out(static_cast<std::size_t>(p.out_offset + (p.rows - 1) * out_stride + width), poison);
  if constexpr (std::is_same_v<In, Out>)
    if (p.in_place) out = in;
  out.resize(out.size() + 16, poison);  // seen if what follows the last row is written
  auto out_buffer = muster::buffer<Out>(target, out);
  Out* const to = out_buffer.data() + p.out_offset;
  In const* from = in_buffer.data() + p.in_offset;
  if constexpr (std::is_same_v<In, Out>)
    if (p.in_place) from = to;
  device::row_strides const strides{in_stride, out_stride};
  run(from, to, strides);
  muster::wait(target);
  auto const got = out_buffer.to_vector();
  std::vector<double> row(static_cast<std::size_t>(p.columns));
  for (long long r = 0; r < p.rows; ++r) {
    for (long long c = 0; c < p.columns; ++c) row[c] = static_cast<double>(in[p.in_offset + r * in_stride + c]);
    std::string const found = difference<In, Out>(what, row, got.data() + p.out_offset + r * out_stride, Empty);
    if (!found.empty()) return p.text() + ", row " + std::to_string(r) + ", " + found;
  }
  for (long long i = 0; i < static_cast<long long>(got.size()); ++i) {
    long long const at = i - p.out_offset;
    if (at >= 0 && at / out_stride < p.rows && at % out_stride < width) continue;
    if (std::memcmp(&got[i], &out[i], sizeof(Out)) != 0) return p.text() + ": wrote beyond a row, at " + std::to_string(i);
  }
  return "";
}

template <operation What, class In, class Out, muster::empty_row Empty = muster::empty_row::nan, class Target>
std::string compare(Target const& target, content filled, place const& p) {
  return compare_run<What, In, Out, Empty>(target, filled, p, [&](In const* from, Out* to, device::row_strides strides) {
    if constexpr (What == operation::softmax) device::softmax<Empty>(target, from, to, p.rows, p.columns, strides);
    if constexpr (What == operation::log_softmax) device::log_softmax<Empty>(target, from, to, p.rows, p.columns, strides);
    if constexpr (What == operation::log_sum_exp) device::log_sum_exp(target, from, to, p.rows, p.columns, strides);
  });
}

// f(columns, rows a block takes) at the last size that each shape of a table holds, and at the next.
template <class... Shapes, class F>
void at_switches(device::detail::shape_list<Shapes...>, long long per_access, long long less, F const& f) {
  auto const at = [&](auto shape) {
    if constexpr (decltype(shape)::most_accesses > 0) {
      long long const last = decltype(shape)::most_accesses * per_access - less;
      for (long long const columns : {last, last + per_access}) f(columns, static_cast<long long>(decltype(shape)::rows_per_block));
    }
  };
  (at(Shapes{}), ...);
}

// Few rows, but more than one block has, where that does not take long.
inline long long rows_for(long long columns, long long rows_per_block, long long most_values) {
  return std::max(1ll, std::min(rows_per_block + 3, most_values / columns));
}

}  // namespace device_tests
