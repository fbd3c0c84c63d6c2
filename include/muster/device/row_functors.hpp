// What the functors of a call on rows must be able to do, and the error where one cannot.
#pragma once

#include <type_traits>

#include <muster/config.hpp>
#include <muster/device/lane_values.hpp>

MUSTER_BEGIN

namespace device {

namespace detail {

template <class F, class A>
concept maps_a_value = requires(F const& f, A value) { static_cast<A>(f(value, 0ll, 0ll)); };

template <class Load, class Store, class A>
struct row_functors_map_values {
  static_assert(maps_a_value<Load, A>,
                "muster::device::softmax: load is called as load(value, row, column), a float (double for rows of double) and two long long, in a kernel (MUSTER_FN, const), "
                "and returns the value to take instead");
  static_assert(maps_a_value<Store, A>,
                "muster::device::softmax: store is called as store(result, row, column), a float (double for rows of double) and two long long, in a kernel (MUSTER_FN, const), "
                "and returns the value to write");
  static constexpr bool value = true;
};

template <class Out>
struct results_can_be_written {
  static_assert(!std::is_const_v<Out> && !std::is_volatile_v<Out>, "muster::device::softmax: the output's rows are written: pass a pointer to values that are neither const nor volatile");
  static constexpr bool value = true;
};

}  // namespace detail

}  // namespace device

MUSTER_END
