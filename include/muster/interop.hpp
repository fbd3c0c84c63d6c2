// Function objects of other libraries as operators: as_operator(std::plus<>{}) is muster::plus{}. The one header that knows std::, cuda::std:: and cuda:: function objects,
// those that CUB takes too (CUB 3.0 has none of its own left: cuda::std::plus<>, cuda::minimum<>, cuda::maximum<>).
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/monoid.hpp>
#include <muster/core/operators.hpp>

#if defined(__CUDACC__) && __has_include(<cuda/std/functional>) && __has_include(<cuda/functional>)
#define MUSTER_HAS_CUDA_FUNCTIONAL 1
#include <cuda/functional>
#include <cuda/std/functional>
#else
#define MUSTER_HAS_CUDA_FUNCTIONAL 0
#endif

MUSTER_BEGIN

namespace detail {

template <class F>
struct function_object_is_known {
  static_assert(requires { F::is_commutative; },
                "muster::as_operator: this function object has no operator: a difference or a quotient is not associative, an object of one type (std::plus<int>) would "
                "convert its operands, so take std::plus<>; for your own, specialise muster::operator_for or write a struct with identity<T>() and is_commutative");
  static constexpr bool value = true;
};

}  // namespace detail

// The operator that a function object stands for; specialise it for your own. An operator of muster, or of one's own that has what monoid_for asks, is itself.
template <class F>
struct operator_for {
  static_assert(detail::function_object_is_known<F>::value);
  using type = F;
};

template <>
struct operator_for<std::plus<>> {
  using type = plus;
};
template <>
struct operator_for<std::multiplies<>> {
  using type = multiplies;
};
template <>
struct operator_for<std::bit_and<>> {
  using type = bit_and;
};
template <>
struct operator_for<std::bit_or<>> {
  using type = bit_or;
};
template <>
struct operator_for<std::bit_xor<>> {
  using type = bit_xor;
};

#if MUSTER_HAS_CUDA_FUNCTIONAL
template <>
struct operator_for<::cuda::std::plus<>> {
  using type = plus;
};
template <>
struct operator_for<::cuda::std::multiplies<>> {
  using type = multiplies;
};
template <>
struct operator_for<::cuda::std::bit_and<>> {
  using type = bit_and;
};
template <>
struct operator_for<::cuda::std::bit_or<>> {
  using type = bit_or;
};
template <>
struct operator_for<::cuda::std::bit_xor<>> {
  using type = bit_xor;
};
template <>
struct operator_for<::cuda::minimum<>> {
  using type = minimum;
};
template <>
struct operator_for<::cuda::maximum<>> {
  using type = maximum;
};
#endif

// The operator to fold with where another library's function object is at hand: reduce(tile, v, as_operator(f)). Floats: minimum and maximum are those of muster, for which a
// NaN counts as missing. Cost: none.
template <class F>
MUSTER_FN typename operator_for<F>::type as_operator([[maybe_unused]] F f) {
  if constexpr (std::same_as<typename operator_for<F>::type, F>) return f;
  else return typename operator_for<F>::type{};
}

MUSTER_END
