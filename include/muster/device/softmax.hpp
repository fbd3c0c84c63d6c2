// softmax, log_softmax and log_sum_exp of the rows of a matrix, called from the host, on a GPU or on the emulator.
//
// Stream-ordered: a call launches one kernel in the target's stream and returns; it neither allocates nor synchronises, and can be captured in a graph.
// Types: float, double, and with muster/half.hpp __half and __nv_bfloat16; input and output may differ. 16-bit types and float are computed in float, double in double.
// Rows may begin at any address that is aligned for their type and lie any stride >= columns apart; sizes count in 64 bits.
// Special values of a row are as in muster/algorithm/softmax.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include <muster/config.hpp>
#include <muster/device/cluster_kernel.hpp>
#include <muster/device/covering_tiles.hpp>
#include <muster/device/lane_row.hpp>
#include <muster/device/row_functors.hpp>
#include <muster/device/softmax_kernels.hpp>
#include <muster/device/softmax_plan.hpp>
#include <muster/launch.hpp>

MUSTER_BEGIN

namespace device {

// How many values after a row the next begins; 0: where the row ends.
struct row_strides {
  long long in = 0;
  long long out = 0;
};

namespace detail {

template <class T>
struct row_type {
  static_assert(sizeof(T) == 8 || sizeof(T) == 4 || sizeof(T) == 2, "muster::device::softmax: rows of float, double, __half or __nv_bfloat16");
  static_assert(numeric<T>::is_floating && !std::is_same_v<T, long double>,
                "muster::device::softmax: floating-point rows; for __half and __nv_bfloat16 include <muster/half.hpp>");
  static constexpr bool value = true;
};

inline void refuse(char const* what, std::string const& reason) { throw launch_error(std::string(what) + ": " + reason); }

// Throws with the reason where a matrix cannot be what it is said to be.
template <class T>
void check_matrix(char const* what, char const* which, matrix<T> const& m) {
  std::string const name = which;
  if (m.rows < 0 || m.columns < 0) refuse(what, "a matrix has no negative size: " + std::to_string(m.rows) + " x " + std::to_string(m.columns));
  if (m.stride < m.columns)
    refuse(what, "the " + name + "'s rows overlap: stride " + std::to_string(m.stride) + " is below the " + std::to_string(m.columns) + " columns");
  if (m.rows == 0 || m.columns == 0) return;
  long long const most = 0x7fffffffffffffff / static_cast<long long>(sizeof(T));
  if (m.columns > most || (m.rows > 1 && m.stride > (most - m.columns) / (m.rows - 1)))
    refuse(what, "the " + name + " has more bytes than an address can count: " + std::to_string(m.rows) + " rows of stride " + std::to_string(m.stride));
  if (m.data == nullptr) refuse(what, "the " + name + " is a null pointer");
  if (reinterpret_cast<std::uintptr_t>(m.data) % sizeof(T) != 0)
    refuse(what, "the " + name + "'s address is no multiple of its type's " + std::to_string(sizeof(T)) + " bytes");
}

// Two matrices may share memory if they are the same one, or if no row of one touches a row of the other.
template <class In, class Out>
void check_overlap(char const* what, matrix<In const> const& in, matrix<Out> const& out) {
  using address = std::uintptr_t;
  auto const begin_of = [](auto const& m) { return reinterpret_cast<address>(m.data); };
  auto const bytes_of = [](auto const& m) { return static_cast<address>((m.rows - 1) * m.stride + m.columns) * sizeof(*m.data); };
  address const a = begin_of(in), b = begin_of(out);
  if (a + bytes_of(in) <= b || b + bytes_of(out) <= a) return;
  address const in_stride = static_cast<address>(in.stride) * sizeof(In), out_stride = static_cast<address>(out.stride) * sizeof(Out);
  if (a == b && sizeof(In) == sizeof(Out) && in.columns == out.columns && (in.rows == 1 || in_stride == out_stride)) return;
  if (in_stride == out_stride) {  // side by side: how far into the input's row, or the gap behind it, the output's begins
    address const offset = b >= a ? (b - a) % in_stride : (in_stride - (a - b) % in_stride) % in_stride;
    if (offset >= static_cast<address>(in.columns) * sizeof(In) && offset + static_cast<address>(out.columns) * sizeof(Out) <= in_stride) return;
  }
  refuse(what, "input and output overlap; they may be the same rows of the same type size, or lie apart");
}

// How the rows of both can be read and written. Strides of a single row do not matter.
template <class In, class Out>
row_access access_of(matrix<In const> const& in, matrix<Out> const& out) {
  auto const begin_of = [](auto* data) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(data) % vector_bytes / sizeof(*data)); };
  bool const one = in.rows == 1;
  return access_of<In, Out>(begin_of(in.data), begin_of(out.data), in.columns, one ? 0 : in.stride, one ? 0 : out.stride);
}

// What takes rows of a cluster's where there are no clusters: on the emulator, on GPUs before sm_90, and in code that was not compiled for sm_90.
template <class Shape>
using without_clusters = reread_shape<512, (Shape::slots < 16 ? 4 : 16)>;

// Launches the kernel that Shape names.
template <class Result, class Shape, class Accesses, class Target, class In, class Out, class Load, class Store>
void launch_shape(Target const& target, matrix<In const> const& in, matrix<Out> const& out, Load const& load, Store const& store) {
  using A = computed<In>;
  long long const blocks = blocks_of<Shape>(in.rows);
  if (blocks > 0x7fffffff) throw launch_error("muster::device: " + std::to_string(in.rows) + " rows are more than one grid can have");
  grid_dims const grid(static_cast<unsigned>(blocks));
  block_dims<Shape::threads> const threads;
  if constexpr (Shape::way == row_way::tile && std::is_same_v<Accesses, covering_vectors> && Result::writes_values) {
    launch(target, grid, threads, softmax_by_covering_tiles<Result, Shape::lanes, Shape::slots, Shape::rows_in_flight, Shape::threads>{}, in, out, load, store);
  } else if constexpr (Shape::way == row_way::tile) {
    launch(target, grid, threads, softmax_by_tiles<Result, Shape::lanes, Shape::slots, Shape::rows_in_flight, Accesses>{}, in, out, load, store);
  } else if constexpr (Shape::way == row_way::block) {
    launch(target, grid, threads, softmax_by_blocks<Result, A, Shape::threads, Shape::slots, Accesses>{}, in, out, load, store);
  } else if constexpr (Shape::way == row_way::cluster) {
    if constexpr (std::is_same_v<Target, device_target>) {  // the emulator has clusters too, but their kernels would be compiled twice
      softmax_by_clusters<Result, A, Shape::blocks, Shape::threads, Shape::slots, Accesses> const kernel;
      cluster_dims<Shape::blocks> const clusters;
      static bool const usable = can_launch_clusters(target, clusters, threads, kernel, in, out, load, store);
      if (usable) return launch(target, grid, clusters, threads, kernel, in, out, load, store);
    }
    launch_shape<Result, without_clusters<Shape>, Accesses>(target, in, out, load, store);
  } else {
    launch(target, grid, threads, softmax_by_rereading<Result, A, Shape::threads, Shape::slots, Accesses>{}, in, out, load, store);
  }
}

template <class Result, class Target, class In, class Out, class Load, class Store>
void run_rows(char const* what, Target const& target, matrix<In const> const& in, matrix<Out> const& out, Load const& load, Store const& store) {
  static_assert(row_type<In>::value && row_type<Out>::value);
  static_assert(row_functors_map_values<Load, Store, computed<In>>::value && results_can_be_written<Out>::value);
  check_matrix(what, "input", in);
  check_matrix(what, "output", out);
  if (in.rows == 0 || in.columns == 0) return;
  check_overlap(what, in, out);
  // A result of one value a row is stored by itself: only the input's rows matter.
  row_access access;
  if constexpr (Result::writes_values) access = access_of(in, out);
  else access = access_of(in, matrix<In>{const_cast<In*>(in.data), in.rows, in.columns, in.stride});
  using stored = std::conditional_t<Result::writes_values, Out, In>;
  with_access<In, stored>(access, in.columns, [&]<class Accesses, class Shape>(Accesses, Shape) { launch_shape<Result, Shape, Accesses>(target, in, out, load, store); });
}

template <class T>
matrix<T> rows_of(T* data, long long rows, long long columns, long long stride) {
  return {data, rows, columns, stride == 0 ? columns : stride};
}

}  // namespace detail

// Row r of `out` becomes the softmax of row r of `in`: exp(x - m) / sum of exp(x - m), m the row's maximum. `rows` rows of `columns` values; `in` may be `out`.
// load(value, row, column) gives what stands for a value of the input, store(result, row, column) what is rounded to the output: scale, mask and bias cost no pass of
// their own. They are trivially copyable, callable in a kernel (MUSTER_FN), and may be asked twice for a value. A row of only -inf gives NaN, or 0 with empty_row::zero.
// Errors: launch_error for a negative size, a null pointer, an address that is not aligned for its type, stride < columns, or matrices that overlap otherwise; nothing is
// written then. No rows or no columns: nothing happens. Cost: reads and writes each value once; rows longer than the registers of a cluster hold, about
// 1 MiB, are read twice, and so are those of more than 128 KiB where there are no clusters (before sm_90, on the emulator). See plan_for.
template <empty_row Empty = empty_row::nan, class Target, class In, class Out, class Load = as_is, class Store = as_is>
void softmax(Target const& target, In const* in, Out* out, long long rows, long long columns, row_strides strides = {}, Load load = {}, Store store = {}) {
  detail::run_rows<detail::softmax_result<Empty>>("muster::device::softmax", target, detail::rows_of(in, rows, columns, strides.in),
                                                  detail::rows_of(out, rows, columns, strides.out), load, store);
}

// The same for the logarithm of softmax, x - m - log(sum of exp(x - m)). With empty_row::zero a row of only -inf gives -inf.
template <empty_row Empty = empty_row::nan, class Target, class In, class Out, class Load = as_is, class Store = as_is>
void log_softmax(Target const& target, In const* in, Out* out, long long rows, long long columns, row_strides strides = {}, Load load = {}, Store store = {}) {
  detail::run_rows<detail::log_softmax_result<Empty>>("muster::device::log_softmax", target, detail::rows_of(in, rows, columns, strides.in),
                                                      detail::rows_of(out, rows, columns, strides.out), load, store);
}

// out[r * strides.out] becomes log(sum of exp(x)) of row r; strides.out 0 means 1. -inf for a row of only -inf, +inf if +inf is among them. `out` may not overlap `in`.
// store is called with column 0.
template <class Target, class In, class Out, class Load = as_is, class Store = as_is>
void log_sum_exp(Target const& target, In const* in, Out* out, long long rows, long long columns, row_strides strides = {}, Load load = {}, Store store = {}) {
  auto const values = detail::rows_of(in, rows, columns, strides.in);
  detail::run_rows<detail::log_sum_exp_result>("muster::device::log_sum_exp", target, values, detail::rows_of(out, rows, columns == 0 ? 0 : 1, strides.out), load, store);
}

}  // namespace device

MUSTER_END
