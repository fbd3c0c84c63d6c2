// CUDA's 16-bit floating-point types, alone and in pairs, as values of every algorithm: __half, __half2, __nv_bfloat16, __nv_bfloat162.
// The only header that includes the toolkit's; it serves nvcc, and plain g++ and clang++ where the toolkit's headers are on the include path.
//
// A pair folds element by element: reduce(tile, __half2, plus{}) is two sums in the shuffles of one, and a reduction of several 16-bit values a lane folds a lane's own
// values as pairs. Everything accumulates in 16 bits, as asked, except softmax, log_softmax and log_sum_exp, which accumulate in float.
#pragma once

#if !__has_include(<cuda_fp16.h>) || !__has_include(<cuda_bf16.h>)
#error "muster/half.hpp needs cuda_fp16.h and cuda_bf16.h of NVIDIA's CUDA toolkit (12.2 or newer): compile with nvcc, or put the toolkit's include directory on the include path (CMake: find_package(CUDAToolkit), then link CUDA::toolkit)"
#endif
#if defined(__CUDA_NO_HALF_OPERATORS__) || defined(__CUDA_NO_HALF2_OPERATORS__) || defined(__CUDA_NO_HALF_CONVERSIONS__) || \
    defined(__CUDA_NO_BFLOAT16_OPERATORS__) || defined(__CUDA_NO_BFLOAT162_OPERATORS__) || defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
#error "muster/half.hpp needs the 16-bit types' operators and conversions, which a __CUDA_NO_..._OPERATORS__ or __CUDA_NO_..._CONVERSIONS__ macro has switched off: undefine it (-U) for this file"
#endif

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <muster/algorithm/reduce.hpp>
#include <muster/algorithm/softmax.hpp>
#include <muster/config.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/value_traits.hpp>

MUSTER_BEGIN

// The toolkit's constructors are its own, so the standard does not call the pairs trivially copyable; their bytes are all there is to them.
template <>
inline constexpr bool is_bytewise_copyable<__half> = true;
template <>
inline constexpr bool is_bytewise_copyable<__half2> = true;
template <>
inline constexpr bool is_bytewise_copyable<__nv_bfloat16> = true;
template <>
inline constexpr bool is_bytewise_copyable<__nv_bfloat162> = true;

template <>
inline constexpr bool has_no_padding<__half> = true;
template <>
inline constexpr bool has_no_padding<__half2> = true;
template <>
inline constexpr bool has_no_padding<__nv_bfloat16> = true;
template <>
inline constexpr bool has_no_padding<__nv_bfloat162> = true;

namespace detail {

// A 16-bit type from the bits of its special values. least and greatest are minimumNumber and maximumNumber, as for float: that is what min.f16 and min.bf16 do.
template <class T, class Raw, unsigned short Infinity, unsigned short NaN>
struct numeric_of_16_bits {
  static constexpr bool is_floating = true;
  static constexpr bool commutes = true;

  MUSTER_FN static T of(int n) { return T(static_cast<float>(n)); }
  MUSTER_FN static T highest() { return of_bits(Infinity); }
  MUSTER_FN static T lowest() { return of_bits(Infinity | 0x8000u); }
  MUSTER_FN static T nan() { return of_bits(NaN); }
  MUSTER_FN static T least(T a, T b) { return __hmin(a, b); }
  MUSTER_FN static T greatest(T a, T b) { return __hmax(a, b); }

 private:
  MUSTER_FN static T of_bits(unsigned bits) {
    Raw raw;
    raw.x = static_cast<unsigned short>(bits);
    return T(raw);
  }
};

// A pair of them, element by element.
template <class Pair, class T>
struct numeric_of_pair {
  static constexpr bool is_floating = true;
  static constexpr bool commutes = true;

  MUSTER_FN static Pair of(int n) { return both(numeric<T>::of(n)); }
  MUSTER_FN static Pair highest() { return both(numeric<T>::highest()); }
  MUSTER_FN static Pair lowest() { return both(numeric<T>::lowest()); }
  MUSTER_FN static Pair nan() { return both(numeric<T>::nan()); }
  MUSTER_FN static Pair least(Pair a, Pair b) { return __hmin2(a, b); }
  MUSTER_FN static Pair greatest(Pair a, Pair b) { return __hmax2(a, b); }

 private:
  MUSTER_FN static Pair both(T v) { return Pair(v, v); }
};

}  // namespace detail

template <>
struct numeric<__half> : detail::numeric_of_16_bits<__half, __half_raw, 0x7c00, 0x7fff> {};
template <>
struct numeric<__nv_bfloat16> : detail::numeric_of_16_bits<__nv_bfloat16, __nv_bfloat16_raw, 0x7f80, 0x7fff> {};
template <>
struct numeric<__half2> : detail::numeric_of_pair<__half2, __half> {};
template <>
struct numeric<__nv_bfloat162> : detail::numeric_of_pair<__nv_bfloat162, __nv_bfloat16> {};

namespace detail {

template <>
struct accumulator<__half> {
  using type = float;
};
template <>
struct accumulator<__nv_bfloat16> {
  using type = float;
};

template <>
struct pair_of<__half> {
  using type = __half2;
};
template <>
struct pair_of<__nv_bfloat16> {
  using type = __nv_bfloat162;
};

}  // namespace detail

MUSTER_END

#if MUSTER_ON_DEVICE
namespace muster::backend {

// add, min and max of PTX take a pair of f16; of bf16, not on every machine that muster serves.
template <>
struct ptx_number<__half2> { static constexpr char text[] = "f16x2"; };
template <>
struct ptx_condition<__half2> : ptx_jump {};

}  // namespace muster::backend
#endif
