// What one lane holds of a row that several lanes read together, where every row is whole accesses of 16 or fewer bytes, and aligned to them.
#pragma once

#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/operators.hpp>
#include <muster/device/numbers.hpp>
#include <muster/device/vector.hpp>

MUSTER_BEGIN

namespace device {

// Rows of one matrix: row r begins at data + r * stride. Counts are of values.
template <class T>
struct matrix {
  T* data;
  long long rows;
  long long columns;
  long long stride;
};

// The default functors: values as they lie in memory. A functor of one's own has the same call: load gives the value to compute with (float; double for double),
// store what is rounded to the output's type.
struct as_is {
  template <class A>
  MUSTER_FN A operator()(A value, long long, long long) const {
    return value;
  }
};

namespace detail {

// `count` neighbouring values of a row, the first in column `column`: all of the row, or a part.
template <class T>
struct span_of_row {
  T* first;
  int count;
  long long row;
  long long column;
};

// The values of one access in the type to compute in; the first lies at place `c` of the span, of which `count` values are.
template <class A, class T, int N, int Bytes, class Load>
MUSTER_FN void widen_packed(packed<Bytes> const& from, A (&values)[N], span_of_row<T const> span, int c, int count, Load const& load) {
MUSTER_UNROLL
  for (int i = 0; i < N; ++i) {
    A const value = static_cast<A>(value_at<T>(from, i));
    if constexpr (std::is_same_v<Load, as_is>) {
      values[i] = value;
    } else {
      bool const there = static_cast<unsigned>(c + i) < static_cast<unsigned>(count);
      values[i] = there ? static_cast<A>(load(value, span.row, span.column + c + i)) : numeric<A>::lowest();
    }
  }
}

template <class A, int N, class T, class Store>
MUSTER_FN void apply_store(A (&values)[N], span_of_row<T> span, int c, int count, Store const& store) {
  if constexpr (!std::is_same_v<Store, as_is>) {
MUSTER_UNROLL
    for (int i = 0; i < N; ++i)
      if (static_cast<unsigned>(c + i) < static_cast<unsigned>(count)) values[i] = static_cast<A>(store(values[i], span.row, span.column + c + i));
  }
}

template <class T, int N>
MUSTER_FN packed<N * static_cast<int>(sizeof(T))> lowest_packed() {
  packed<N * static_cast<int>(sizeof(T))> v{};
MUSTER_UNROLL
  for (int i = 0; i < N; ++i) put_value(v, i, numeric<T>::lowest());
  return v;
}

// Lane `rank` of `Lanes` holds accesses rank, rank + Lanes, ... of the span, `Slots` of them, `PerAccess` values each. What is not of the span is -inf.
template <class T, int Lanes, int Slots, int PerAccess>
class lane_row {
 public:
  static constexpr int slots = Slots;
  static constexpr int per_slot = PerAccess;
  static constexpr int size = Slots * PerAccess;
  static constexpr int most_values = Lanes * size;

  // Begins to read a span of the matrix.
  MUSTER_FN void read(span_of_row<T const> span, matrix<T const> const&, int rank) {
    first_ = rank * PerAccess;
    count_ = span.count;
MUSTER_UNROLL
    for (int s = 0; s < Slots; ++s) raw_[s] = has(s) ? load_packed<bytes>(span.first + column(s)) : lowest_packed<T, PerAccess>();
  }
  // To be called before the values are used.
  MUSTER_FN void settle() {}

  MUSTER_FN bool has(int s) const { return column(s) < count_; }
  // Slots that hold nothing are worked on like the others: branches would cost more.
  MUSTER_FN bool works_on(int) const { return true; }

  template <class A, class Load>
  MUSTER_FN void widen(int s, A (&values)[PerAccess], span_of_row<T const> span, Load const& load) const {
    widen_packed<A, T>(raw_[s], values, span, column(s), count_, load);
  }
  // Of 16-bit values.
  MUSTER_FN float maximum() const { return largest_of_pairs<T>(raw_); }
  MUSTER_FN void forget_conversions(int s) { detail::forget_conversions(raw_[s]); }

  // Stores a value for each that was read in slot s.
  template <class Out, class A, class Store>
  MUSTER_FN void write(int s, A (&values)[PerAccess], span_of_row<Out> span, Store const& store) const {
    if (!has(s)) return;
    apply_store(values, span, column(s), count_, store);
    store_packed(span.first + column(s), rounded<Out>(values));
  }

 private:
  static constexpr int bytes = PerAccess * static_cast<int>(sizeof(T));
  MUSTER_FN int column(int s) const { return first_ + s * (Lanes * PerAccess); }

  packed<bytes> raw_[Slots];
  int first_;
  int count_;
};

}  // namespace detail
}  // namespace device

MUSTER_END
