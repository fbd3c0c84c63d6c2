// What row softmax computes with: exponentials against a maximum, and the special values of rows.
#pragma once

#include <muster/algorithm/softmax.hpp>
#include <muster/backend/math.hpp>
#include <muster/config.hpp>
#include <muster/core/operators.hpp>

MUSTER_BEGIN

namespace device::detail {

// exp(x): for float one ex2.approx.ftz and a product, so that results below the normal range are 0.
MUSTER_FN inline float exponential(float x) {
#if MUSTER_ON_DEVICE
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x * 1.4426950408889634f));
  return result;
#else
  float const result = backend::natural_exp(x);
  return result < 1.17549435e-38f ? 0.0f : result;
#endif
}
MUSTER_FN inline double exponential(double x) { return backend::natural_exp(x); }

template <class A>
MUSTER_FN A lowest_value() {
  return numeric<A>::lowest();
}

using muster::detail::replaced_maximum;

// What is subtracted from each value: the maximum, or 0 where the maximum would give inf - inf. A part of a row, of which nothing may be left but -inf, never
// subtracts -inf: the whole row decides what that means.
template <replaced_maximum Replaced, class A>
MUSTER_FN A reference_of(A maximum) {
  bool replaced = false;
  if constexpr (Replaced == replaced_maximum::lowest) replaced = maximum == lowest_value<A>();
  if constexpr (Replaced == replaced_maximum::infinite) replaced = backend::is_infinite(maximum);
  return replaced ? A(0) : maximum;
}
template <replaced_maximum Replaced>
inline constexpr replaced_maximum replaced_in_part = Replaced == replaced_maximum::infinite ? Replaced : replaced_maximum::lowest;

// Of a part of a row: its maximum and the sum of exp(value - reference_of(maximum)).
template <class A>
struct part_of_sum {
  A maximum;
  A sum;

  template <replaced_maximum Replaced>
  MUSTER_FN A reference() const {
    return reference_of<replaced_in_part<Replaced>>(maximum);
  }
  // What the part's exponentials are multiplied by to be relative to the reference of the whole row.
  template <replaced_maximum Replaced>
  MUSTER_FN A weight(A reference_of_row) const {
    A const from = maximum == lowest_value<A>() ? maximum : reference<Replaced>();
    return exponential(from - reference_of_row);
  }
};

// Of a whole row: what was subtracted, and the sum of the exponentials.
template <class A>
struct row_sum {
  A reference;
  A sum;

  // 1/sum; the largest exponential is 1, so that the sum of a row that is not empty is normal. An empty row's is 0 and stays 0 where its softmax is to be 0.
  template <empty_row Empty>
  MUSTER_FN A scale() const {
    A const inverse = backend::reciprocal_of_normal(sum);
    return Empty == empty_row::zero && sum == A(0) ? A(0) : inverse;
  }
  template <empty_row Empty>
  MUSTER_FN A log_sum() const {
    A const logarithm = backend::natural_log(sum);
    return Empty == empty_row::zero && sum == A(0) ? A(0) : logarithm;
  }
  MUSTER_FN A logarithm() const { return reference + backend::natural_log(sum); }
};

}  // namespace device::detail

MUSTER_END
