// What row softmax computes with: exponentials against a maximum, and the special values of rows.
#pragma once

#include <muster/algorithm/softmax.hpp>
#include <muster/backend/math.hpp>
#include <muster/config.hpp>
#include <muster/core/operators.hpp>

MUSTER_BEGIN

namespace device::detail {

inline constexpr float log2_of_e = 1.4426950408889634f;
inline constexpr float log_of_2 = 0.6931471805599453f;

using muster::detail::reference_of, muster::detail::replaced_in_part, muster::detail::replaced_maximum;

// exp(value - reference), of values of any size: a difference, a product and ex2.approx for float.
template <class A>
class plain_exponent {
 public:
  using type = A;
  MUSTER_FN explicit plain_exponent(A reference) : reference_(reference) {}
  MUSTER_FN A operator()(A value) const {
    if constexpr (sizeof(A) == 4) return backend::power_of_two((value - reference_) * log2_of_e);
    else return backend::natural_exp(value - reference_);
  }
  MUSTER_FN A reference() const { return reference_; }
  // The logarithm of what (*this)(reference) is, which is 1 but for rounding.
  MUSTER_FN A log_at_reference() const { return A(0); }
  // exp(this reference - other reference), to what operator() makes of it.
  MUSTER_FN A relative_to(plain_exponent const& other) const { return other(reference_); }

 private:
  A reference_;
};

// The same of values that were 16 bits wide, in one multiply-add: value * log2(e) - reference * log2(e), of which the product that is subtracted was rounded. That is the
// same factor for every value, and no larger than 2^(1/16) up to a reference of 2^20. Beyond, 16-bit values that differ do so by 2^10 and more: their exponentials are 0,
// also of a smaller multiple of the difference, for which the rounding stays small.
class fused_exponent {
 public:
  using type = float;
  MUSTER_FN explicit fused_exponent(float reference) : reference_(reference), factor_(log2_of_e), offset_(reference * log2_of_e) {
    float const size = reference < 0 ? -reference : reference;
    if (size > largest_plain && !backend::is_infinite(reference)) {
      factor_ = log2_of_e * largest_plain / size;
      offset_ = reference * factor_;
    }
  }
  MUSTER_FN float operator()(float value) const { return backend::power_of_two(backend::fused_multiply_add(value, factor_, -offset_)); }
  MUSTER_FN float reference() const { return reference_; }
  MUSTER_FN float log_at_reference() const {
    float const rounding = backend::fused_multiply_add(reference_, factor_, -offset_) * log_of_2;
    return backend::is_infinite(reference_) ? 0.0f : rounding;
  }
  MUSTER_FN float relative_to(fused_exponent const& other) const {
    float const weight = backend::power_of_two(offset_ - other.offset_);
    return factor_ == other.factor_ ? weight : 0.0f;
  }

 private:
  static constexpr float largest_plain = 1048576.0f;
  float reference_, factor_, offset_;
};

// Of a part of a row: its maximum and the sum of exp(value - reference_of(maximum)).
template <class A>
struct part_of_sum {
  A maximum;
  A sum;

  template <replaced_maximum Replaced, class Exponent>
  MUSTER_FN Exponent exponent() const {
    return Exponent(reference_of<replaced_in_part<Replaced>>(maximum));
  }
  // What the part's exponentials are multiplied by to be relative to the whole row's: 0 for a part of only -inf, but NaN if all of the row is.
  template <replaced_maximum Replaced, class Exponent>
  MUSTER_FN A weight(Exponent const& of_row) const {
    bool const empty = maximum == numeric<A>::lowest();
    A const weight = exponent<Replaced, Exponent>().relative_to(of_row);
    A const weight_of_empty = of_row.reference() == numeric<A>::lowest() ? numeric<A>::nan() : A(0);
    return empty ? weight_of_empty : weight;
  }
};

// Of a whole row: how exponentials are taken, and their sum.
template <class Exponent>
struct row_sum {
  using A = typename Exponent::type;
  Exponent exponent;
  A sum;

  // 1/sum; the largest exponential is about 1, so that the sum of a row that is not empty is normal. An empty row's is 0 and stays 0 where its softmax is to be 0.
  template <empty_row Empty>
  MUSTER_FN A scale() const {
    A const inverse = backend::reciprocal_of_normal(sum);
    return Empty == empty_row::zero && sum == A(0) ? A(0) : inverse;
  }
  // The logarithm of the sum of exp(value - reference).
  template <empty_row Empty>
  MUSTER_FN A log_sum() const {
    A const logarithm = backend::natural_log(sum) - exponent.log_at_reference();
    return Empty == empty_row::zero && sum == A(0) ? A(0) : logarithm;
  }
  MUSTER_FN A logarithm() const { return exponent.reference() + log_sum<empty_row::nan>(); }
};

}  // namespace device::detail

MUSTER_END
