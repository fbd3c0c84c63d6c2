// The error of a call on rows whose arguments are none that it takes, as a buffer in place of its address.
#pragma once

#include <type_traits>
#include <utility>

#include <muster/config.hpp>
#include <muster/device/lane_row.hpp>
#include <muster/device/workspace.hpp>

MUSTER_BEGIN

namespace device {

// How many values after a row the next begins; 0: where the row ends.
struct row_strides {
  long long in = 0;
  long long out = 0;
};

namespace detail {

// The two ways to call.
struct call_on_rows {
  template <class Target, any_workspace Workspace, class In, class Out, class Load = as_is, class Store = as_is>
  static void with(Target const&, Workspace, In const*, Out*, long long, long long, row_strides = {}, Load = {}, Store = {});
  template <class Target, class In, class Out, class Load = as_is, class Store = as_is>
  static void with(Target const&, In const*, Out*, long long, long long, row_strides = {}, Load = {}, Store = {});
};
template <class... Given>
concept arguments_of_rows = requires { call_on_rows::with(std::declval<Given>()...); };

template <class T>
inline constexpr bool is_address = std::is_pointer_v<std::decay_t<T>>;

// Given: the arguments that the call got. (Strides in braces have no type: calls with them need a function that names theirs.)
template <class... Given>
struct rows_are_given_by_address {
  static_assert(arguments_of_rows<Given...>,
                "muster::device::softmax, log_softmax and log_sum_exp take (target, [workspace,] in, out, rows, columns, [{in_stride, out_stride}, load, store]): in and out are "
                "pointers to float, double, __half or __nv_bfloat16, such as buffer.data(); rows and columns are numbers");
  static constexpr bool value = true;
};

}  // namespace detail

}  // namespace device

MUSTER_END
