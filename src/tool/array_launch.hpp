// From names to template arguments, and from arrays to launches. For files that launch kernels.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <boost/hana/first.hpp>
#include <boost/hana/integral_constant.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/second.hpp>

#include <muster/buffer.hpp>
#include <muster/launch.hpp>

#include "tool/arrays.hpp"
#include "tool/kernels.hpp"
#include "tool/policies.hpp"

namespace muster::tool {

struct operator_name {
  char const* text;
};

inline constexpr auto all_operators =
    hana::make_tuple(hana::make_pair(hana::type_c<plus>, operator_name{"sum"}), hana::make_pair(hana::type_c<minimum>, operator_name{"min"}),
                     hana::make_pair(hana::type_c<maximum>, operator_name{"max"}), hana::make_pair(hana::type_c<multiplies>, operator_name{"prod"}));

template <class F>
void with_operator(std::string const& asked, F f) {
  with_named(all_operators, "operation", asked, [](auto const& entry) { return hana::second(entry).text; }, [&](auto const& entry) { f(hana::first(entry)); });
}

// Short rows take a tile of eight lanes, four values a lane, so that a warp works on four of them at once. The policies that are there for comparison take a whole
// warp for every row: half the kernels to compile.
inline constexpr std::size_t longest_narrow_row = 32;

template <class Policy, class F>
void with_width(std::size_t columns, F f) {
  if constexpr (std::is_same_v<Policy, policy::automatic_policy>)
    if (columns <= longest_narrow_row) return f(hana::int_c<8>);
  f(hana::int_c<warp_size>);
}

// A kernel over rows without its type, so that all but the launch itself is compiled once for each type of values.
template <class T>
struct row_kernel {
  using launcher = void (*)(void const* kernel, unsigned blocks, T const* in, T* out, long long rows, long long columns);
  void const* kernel;
  int rows_of_block;
  launcher on_device;
  launcher on_emulator;  // null: the policy's library exists in device code only
};

template <class Kernel, class T>
void launch_on_device(void const* kernel, unsigned blocks, T const* in, T* out, long long rows, long long columns) {
  launch(on_device(), grid_dims(blocks), kernel_block{}, *static_cast<Kernel const*>(kernel), in, out, rows, columns);
}
template <class Kernel, class T>
void launch_on_emulator(void const* kernel, unsigned blocks, T const* in, T* out, long long rows, long long columns) {
  launch(on_emulator(), grid_dims(blocks), kernel_block{}, *static_cast<Kernel const*>(kernel), in, out, rows, columns);
}

// Launches a kernel over rows, some at a time, so that memory stays bounded and progress can be shown.
template <class Target, class T>
void launch_rows(Target const& target, typename row_kernel<T>::launcher launcher, row_kernel<T> const& kernel, array_job const& job, std::size_t values_at_once,
                 std::vector<T> const& in, std::vector<T>& out) {
  if (job.rows == 0) return;
  std::size_t const per_row = out.size() / job.rows;
  std::size_t const rows_at_once = std::max<std::size_t>(1, values_at_once / std::max<std::size_t>(1, job.columns));
  auto const rows_of_block = static_cast<std::size_t>(kernel.rows_of_block);
  for (std::size_t first = 0; first < job.rows; first += rows_at_once) {
    std::size_t const rows = std::min(rows_at_once, job.rows - first);
    buffer<T> const from(target, std::span<T const>(in).subspan(first * job.columns, rows * job.columns));
    buffer<T> to(target, rows * per_row);
    launcher(kernel.kernel, static_cast<unsigned>((rows + rows_of_block - 1) / rows_of_block), from.data(), to.data(), static_cast<long long>(rows),
             static_cast<long long>(job.columns));
    wait(target);
    to.copy_to(std::span<T>(out).subspan(first * per_row, rows * per_row));
    job.on_progress(first + rows);
  }
}

template <class T>
void launch_rows(row_kernel<T> const& kernel, array_job const& job, std::vector<T> const& in, std::vector<T>& out) {
  if (job.on == machine::device) {
    launch_rows(on_device(), kernel.on_device, kernel, job, std::size_t{1} << 27, in, out);
  } else if (kernel.on_emulator != nullptr) {
    launch_rows(on_emulator(), kernel.on_emulator, kernel, job, std::size_t{1} << 17, in, out);
  } else {
    std::string const reason = why_no_device();
    throw bad_input("policy " + job.policy + " needs a GPU" + (reason.empty() ? "; it does not run on the emulator" : ", and " + reason));
  }
}

// A policy whose library exists in device code only is compiled for the device alone.
template <int Width, class Policy, class T, class Kernel>
void run_rows(array_job const& job, std::vector<T> const& in, std::vector<T>& out, Kernel const& kernel) {
  row_kernel<T> plain{&kernel, rows_of_block<Width>, &launch_on_device<Kernel, T>, nullptr};
  if constexpr (!needs_device<Policy>) plain.on_emulator = &launch_on_emulator<Kernel, T>;
  launch_rows(plain, job, in, out);
}

[[noreturn]] inline void refuse_policy(array_job const& job, std::string const& what) {
  throw bad_input("policy " + job.policy + " does not do " + what + "; automatic does");
}

}  // namespace muster::tool
