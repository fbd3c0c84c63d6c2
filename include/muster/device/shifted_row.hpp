// What one lane holds of a row of whole vectors none of which is aligned: one of them, which was shifted into place from the two aligned ones that it lies in.
#pragma once

#include <muster/config.hpp>
#include <muster/device/lane_row.hpp>
#include <muster/device/vector.hpp>

MUSTER_BEGIN

namespace device::detail {

template <class T>
class shifted_row {
 public:
  static constexpr int slots = 1;
  static constexpr int in_registers = 1;
  static constexpr int per_slot = vector_size<T>;
  static constexpr int size = per_slot;
  static constexpr bool has_edges = false;
  static constexpr int bytes = vector_bytes;

  // `rank`: which of the row's `count` values' vectors.
  MUSTER_FN shifted_row(vector const& values, int rank, int count) : value_(values), column_(rank * per_slot), count_(count) {}

  MUSTER_FN bool works_on(int) const { return true; }
  MUSTER_FN vector get(int) const { return value_; }

  template <class A, class Load>
  MUSTER_FN void widen(int, A (&values)[per_slot], span_of_row<T const> span, Load const& load) const {
    widen_packed<A, T>(value_, values, span, column_, count_, load);
  }
  MUSTER_FN void replace(int, T const (&values)[per_slot]) { value_ = rounded<T>(values); }
  // Of 16-bit values.
  MUSTER_FN float maximum() const { return largest_of_pairs<T, 1>(*this); }
  MUSTER_FN void forget_conversions(int) { detail::forget_conversions(value_); }

  // The results, of the same size, take the values' place.
  template <class Out, class A, class Store>
  MUSTER_FN void write(int, A (&values)[per_slot], span_of_row<Out> span, Store const& store) {
    apply_store(values, span, column_, count_, store);
    value_ = rounded<Out>(values);
  }

 private:
  vector value_;
  int column_;
  int count_;
};

}  // namespace device::detail

MUSTER_END
