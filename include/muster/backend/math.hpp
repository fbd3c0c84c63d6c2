// The arithmetic of numbers that each machine has in its own way: intrinsics on a GPU, <cmath> on the host, with the same special values.
#pragma once

#include <muster/config.hpp>

#if !MUSTER_ON_DEVICE
#include <cmath>
#endif

namespace muster::backend {

MUSTER_FN inline float natural_exp(float x) {
#if MUSTER_ON_DEVICE
  return exp2f(x * 1.4426950408889634f);  // one ex2.approx
#else
  return std::exp2(x * 1.4426950408889634f);
#endif
}
MUSTER_FN inline double natural_exp(double x) {
#if MUSTER_ON_DEVICE
  return exp(x);
#else
  return std::exp(x);
#endif
}

// 2^x; results below the normal range are 0.
MUSTER_FN inline float power_of_two(float x) {
#if MUSTER_ON_DEVICE
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  float const result = std::exp2(x);
  return result < 1.17549435e-38f ? 0.0f : result;
#endif
}

MUSTER_FN inline float fused_multiply_add(float a, float b, float c) {
#if MUSTER_ON_DEVICE
  return fmaf(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

MUSTER_FN inline float natural_log(float x) {
#if MUSTER_ON_DEVICE
  return logf(x);
#else
  return std::log(x);
#endif
}
MUSTER_FN inline double natural_log(double x) {
#if MUSTER_ON_DEVICE
  return log(x);
#else
  return std::log(x);
#endif
}

// 1/x of an x that is zero, infinite, NaN or normal. On a GPU to 1 ulp for float: one rcp.approx, and no division with its special cases.
MUSTER_FN inline float reciprocal_of_normal(float x) {
#if MUSTER_ON_DEVICE
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return 1 / x;
#endif
}
MUSTER_FN inline double reciprocal_of_normal(double x) { return 1 / x; }

template <class T>
MUSTER_FN bool is_infinite(T x) {
#if MUSTER_ON_DEVICE
  return isinf(x);
#else
  return std::isinf(x);
#endif
}

// IEEE 754-2019 minimumNumber and maximumNumber: a NaN counts as missing, -0 is less than +0.
template <class T>
MUSTER_FN T least_number(T a, T b) {
#if MUSTER_ON_DEVICE
  if constexpr (sizeof(T) == 4) return fminf(a, b);
  else return fmin(a, b);
#else
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return __builtin_signbit(a) ? a : b;
  return a < b ? a : b;
#endif
}
template <class T>
MUSTER_FN T greatest_number(T a, T b) {
#if MUSTER_ON_DEVICE
  if constexpr (sizeof(T) == 4) return fmaxf(a, b);
  else return fmax(a, b);
#else
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return __builtin_signbit(a) ? b : a;
  return a < b ? b : a;
#endif
}

}  // namespace muster::backend
