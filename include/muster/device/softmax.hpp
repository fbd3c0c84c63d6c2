// softmax, log_softmax and log_sum_exp of the rows of a matrix, called from the host, on a GPU or on the emulator.
//
// Stream-ordered: a call launches one kernel in the target's stream and returns; it does not synchronise, and can be captured in a graph. It allocates nothing, but for a
// workspace from the stream-ordered allocator where it is passed `stream_ordered` and the kernel needs one.
// With a workspace, a few KiB, the whole GPU works on each row that is longer than a cluster of blocks holds; without one such a row is one block's, which reads it twice.
// Types: float, double, and with muster/half.hpp __half and __nv_bfloat16; input and output may differ. 16-bit types and float are computed in float, double in double.
// Rows may begin at any address that is aligned for their type and lie any stride >= columns apart; sizes count in 64 bits.
// Special values of a row are as in muster/algorithm/softmax.hpp.
#pragma once

#include <cstddef>

#include <muster/config.hpp>
#include <muster/device/lane_row.hpp>
#include <muster/device/lane_values.hpp>
#include <muster/device/row_arguments.hpp>
#include <muster/device/softmax_launch.hpp>
#include <muster/device/softmax_plan.hpp>
#include <muster/device/workspace.hpp>

MUSTER_BEGIN

namespace device {

namespace detail {

template <class T>
matrix<T> rows_of(T* data, long long rows, long long columns, long long stride) {
  return {data, rows, columns, stride == 0 ? columns : stride};
}

}  // namespace detail

// How many bytes of workspace the functions below need on this target, whatever the matrix: some KiB.
template <class Target>
std::size_t workspace_bytes(Target const& target) {
  return detail::parts_bytes(detail::machine_of(target, true));
}

// Row r of `out` becomes the softmax of row r of `in`: exp(x - m) / sum of exp(x - m), m the row's maximum. `rows` rows of `columns` values; `in` may be `out`.
// load(value, row, column) gives what stands for a value of the input, store(result, row, column) what is rounded to the output: scale, mask and bias cost no pass of
// their own. They are trivially copyable, callable in a kernel (MUSTER_FN), and may be asked more than once for a value. A row of only -inf gives NaN, or 0 with
// empty_row::zero. `memory` is a workspace of workspace_bytes(target) or `stream_ordered`, or left out.
// Errors: launch_error for a negative size, a null pointer, an address that is not aligned for its type, stride < columns, or matrices that overlap otherwise; nothing is
// written then. No rows or no columns: nothing happens. Cost: reads and writes each value once; rows longer than the registers of a cluster hold, about
// 1 MiB, are read twice without a workspace, and so are those of more than 128 KiB where there are no clusters (before sm_90). With one, what is beyond about 40 MiB of a
// row is read twice, the second time from L2. See plan_for.
template <empty_row Empty = empty_row::nan, class Target, detail::any_workspace Workspace, class In, class Out, class Load = as_is, class Store = as_is>
void softmax(Target const& target, Workspace memory, In const* in, Out* out, long long rows, long long columns, row_strides strides = {}, Load load = {}, Store store = {}) {
  detail::run_rows<detail::softmax_result<Empty>>("muster::device::softmax", target, memory, detail::rows_of(in, rows, columns, strides.in),
                                                  detail::rows_of(out, rows, columns, strides.out), load, store);
}
template <empty_row Empty = empty_row::nan, class Target, class In, class Out, class Load = as_is, class Store = as_is>
void softmax(Target const& target, In const* in, Out* out, long long rows, long long columns, row_strides strides = {}, Load load = {}, Store store = {}) {
  device::softmax<Empty>(target, detail::no_workspace{}, in, out, rows, columns, strides, load, store);
}
template <empty_row Empty = empty_row::nan, class... Given>
  requires(!detail::arguments_of_rows<Given...>)
void softmax(Given const&...) {
  static_assert(detail::rows_are_given_by_address<Given...>::value);
}
template <empty_row Empty = empty_row::nan, class Target, class In, class Out, class... Functors>
  requires(!detail::is_address<In> || !detail::is_address<Out>)
void softmax(Target const&, In const&, Out const&, long long, long long, row_strides, Functors const&...) {
  static_assert(detail::rows_are_given_by_address<Target, In, Out, long long, long long, row_strides, Functors...>::value);
}

// The same for the logarithm of softmax, x - m - log(sum of exp(x - m)). With empty_row::zero a row of only -inf gives -inf.
template <empty_row Empty = empty_row::nan, class Target, detail::any_workspace Workspace, class In, class Out, class Load = as_is, class Store = as_is>
void log_softmax(Target const& target, Workspace memory, In const* in, Out* out, long long rows, long long columns, row_strides strides = {}, Load load = {}, Store store = {}) {
  detail::run_rows<detail::log_softmax_result<Empty>>("muster::device::log_softmax", target, memory, detail::rows_of(in, rows, columns, strides.in),
                                                  detail::rows_of(out, rows, columns, strides.out), load, store);
}
template <empty_row Empty = empty_row::nan, class Target, class In, class Out, class Load = as_is, class Store = as_is>
void log_softmax(Target const& target, In const* in, Out* out, long long rows, long long columns, row_strides strides = {}, Load load = {}, Store store = {}) {
  device::log_softmax<Empty>(target, detail::no_workspace{}, in, out, rows, columns, strides, load, store);
}
template <empty_row Empty = empty_row::nan, class... Given>
  requires(!detail::arguments_of_rows<Given...>)
void log_softmax(Given const&...) {
  static_assert(detail::rows_are_given_by_address<Given...>::value);
}
template <empty_row Empty = empty_row::nan, class Target, class In, class Out, class... Functors>
  requires(!detail::is_address<In> || !detail::is_address<Out>)
void log_softmax(Target const&, In const&, Out const&, long long, long long, row_strides, Functors const&...) {
  static_assert(detail::rows_are_given_by_address<Target, In, Out, long long, long long, row_strides, Functors...>::value);
}

// out[r * strides.out] becomes log(sum of exp(x)) of row r; strides.out 0 means 1. -inf for a row of only -inf, +inf if +inf is among them. `out` may not overlap `in`.
// store is called with column 0.
template <class Target, detail::any_workspace Workspace, class In, class Out, class Load = as_is, class Store = as_is>
void log_sum_exp(Target const& target, Workspace memory, In const* in, Out* out, long long rows, long long columns, row_strides strides = {}, Load load = {},
                 Store store = {}) {
  auto const values = detail::rows_of(in, rows, columns, strides.in);
  detail::run_rows<detail::log_sum_exp_result>("muster::device::log_sum_exp", target, memory, values, detail::rows_of(out, rows, columns == 0 ? 0 : 1, strides.out), load,
                                               store);
}
template <class Target, class In, class Out, class Load = as_is, class Store = as_is>
void log_sum_exp(Target const& target, In const* in, Out* out, long long rows, long long columns, row_strides strides = {}, Load load = {}, Store store = {}) {
  device::log_sum_exp(target, detail::no_workspace{}, in, out, rows, columns, strides, load, store);
}
template <class... Given>
  requires(!detail::arguments_of_rows<Given...>)
void log_sum_exp(Given const&...) {
  static_assert(detail::rows_are_given_by_address<Given...>::value);
}
template <class Target, class In, class Out, class... Functors>
  requires(!detail::is_address<In> || !detail::is_address<Out>)
void log_sum_exp(Target const&, In const&, Out const&, long long, long long, row_strides, Functors const&...) {
  static_assert(detail::rows_are_given_by_address<Target, In, Out, long long, long long, row_strides, Functors...>::value);
}

}  // namespace device

MUSTER_END
