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
#include <muster/device/lane_row.hpp>
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
  if (m.rows > 1 && m.stride > (most - m.columns) / (m.rows - 1))
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

// Whether both are aligned in every row, or at least in phase.
template <class In, class Out>
alignment alignment_of(matrix<In const> const& in, matrix<Out> const& out) {
  constexpr int per_vector = vector_size<In>;
  constexpr int out_bytes = per_vector * static_cast<int>(sizeof(Out)) < vector_bytes ? per_vector * static_cast<int>(sizeof(Out)) : vector_bytes;
  constexpr int per_store = out_bytes / static_cast<int>(sizeof(Out));
  long long const in_begin = static_cast<long long>(reinterpret_cast<std::uintptr_t>(in.data) / sizeof(In) % per_vector);
  long long const out_begin = static_cast<long long>(reinterpret_cast<std::uintptr_t>(out.data) / sizeof(Out) % per_store);
  bool const one = in.rows == 1;
  bool const in_aligned = in_begin == 0 && in.columns % per_vector == 0 && (one || in.stride % per_vector == 0);
  if (in_aligned && out_begin == 0 && (one || out.stride % per_store == 0)) return alignment::aligned;
  return in_begin % per_store == out_begin && (one || (in.stride - out.stride) % per_store == 0) ? alignment::in_phase : alignment::loose;
}

// Launches the kernel that Shape names.
template <class Result, class Shape, bool Aligned, class Target, class In, class Out, class Load, class Store>
void launch_shape(Target const& target, matrix<In const> const& in, matrix<Out> const& out, bool in_phase, Load const& load, Store const& store) {
  using A = computed<In>;
  long long const blocks = (in.rows + Shape::rows_per_block - 1) / Shape::rows_per_block;
  if (blocks > 0x7fffffff) throw launch_error("muster::device: " + std::to_string(in.rows) + " rows are more than one grid can have");
  grid_dims const grid(static_cast<unsigned>(blocks));
  block_dims<Shape::threads> const threads;
  if constexpr (Shape::way == row_way::tile) {
    launch(target, grid, threads, softmax_by_tiles<Result, Shape::lanes, Shape::slots, Shape::rows_in_flight, Aligned>{}, in, out, in_phase, load, store);
  } else if constexpr (Shape::way == row_way::block) {
    launch(target, grid, threads, softmax_by_blocks<Result, A, Shape::threads, Shape::slots, Aligned>{}, in, out, in_phase, load, store);
  } else {
    launch(target, grid, threads, softmax_by_rereading<Result, A, Shape::threads, Shape::slots, Aligned>{}, in, out, in_phase, load, store);
  }
}

template <class Result, class Target, class In, class Out, class Load, class Store>
void run_rows(char const* what, Target const& target, matrix<In const> const& in, matrix<Out> const& out, Load const& load, Store const& store) {
  static_assert(row_type<In>::value && row_type<Out>::value);
  check_matrix(what, "input", in);
  check_matrix(what, "output", out);
  if (in.rows == 0 || in.columns == 0) return;
  check_overlap(what, in, out);
  alignment const lies = alignment_of(in, out);
  bool const aligned = lies == alignment::aligned;
  with_shape(softmax_shapes{}, vectors_of_row<In>(in.columns, aligned), [&](auto shape) {
    using shape_type = decltype(shape);
    if (aligned) launch_shape<Result, shape_type, true>(target, in, out, true, load, store);
    else launch_shape<Result, shape_type, false>(target, in, out, lies == alignment::in_phase, load, store);
  });
}

template <class T>
matrix<T> rows_of(T* data, long long rows, long long columns, long long stride) {
  return {data, rows, columns, stride == 0 ? columns : stride};
}

}  // namespace detail

// Row r of `out` becomes the softmax of row r of `in`: exp(x - m) / sum of exp(x - m), m the row's maximum. `rows` rows of `columns` values; `in` may be `out`.
// load(value, row, column) gives what stands for a value of the input, store(result, row, column) what is rounded to the output: scale, mask and bias cost no pass of their own.
// They must be trivially copyable and callable in a kernel (MUSTER_FN). A row of only -inf gives NaN, or 0 with empty_row::zero.
// Errors: launch_error for a negative size, a null pointer, an address that is not aligned for its type, stride < columns, or matrices that overlap otherwise; nothing is
// written then. No rows or no columns: nothing happens. Cost: reads and writes each value once, see plan_for; rows longer than 128 Ki bytes are read twice.
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
