// What one lane holds of a row that several lanes read together, and how it comes from and goes to memory in 16-byte vectors.
#pragma once

#include <cstdint>
#include <type_traits>

#include <muster/config.hpp>
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

// How the vectors of the rows lie. aligned: every row of both matrices starts at a vector and is whole vectors long. in_phase: they may not, but a vector of the
// input is a vector of the output. loose: the output's vectors begin elsewhere, so that its values are stored one by one.
enum class alignment : unsigned char { aligned, in_phase, loose };

// `count` neighbouring values of a row, the first in column `column`: all of the row, or a part.
template <class T>
struct span_of_row {
  T* first;
  int count;
  long long row;
  long long column;
};

template <class T>
MUSTER_FN int values_before(T const* p) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(p) % vector_bytes / sizeof(T));
}

// Lane `rank` of `Lanes` holds vectors rank, rank + Lanes, ... of those that cover the span, `Slots` of them.
template <class T, int Lanes, int Slots, bool Aligned>
class lane_row {
 public:
  static constexpr int per_vector = vector_size<T>;
  static constexpr int slots = Slots;
  static constexpr int size = Slots * per_vector;

  // Begins to read a span; `rows` says where memory ends: a vector that reaches beyond it is read value by value. Values that are not of the span become -inf.
  MUSTER_FN void read(span_of_row<T const> span, matrix<T const> const& rows, int rank) {
    int const before = Aligned ? 0 : values_before(span.first);
    T const* const base = span.first - before;
    first_ = rank * per_vector - before;
    count_ = span.count;
    int const vectors = span.count == 0 ? 0 : (before + span.count + per_vector - 1) / per_vector;
    int low = 0, high = vectors;
    if constexpr (!Aligned) {
      if (vectors > 0 && base < rows.data) low = 1;
      if (vectors > 0 && base + vectors * per_vector > rows.data + ((rows.rows - 1) * rows.stride + rows.columns)) high = vectors - 1;
    }
MUSTER_UNROLL
    for (int s = 0; s < Slots; ++s) {
      int const v = s * Lanes + rank;
      if (v >= low && v < high) {
        raw_[s] = load_vector(base + v * per_vector);
      } else {
        raw_[s] = filled();
      }
    }
    if constexpr (!Aligned) {
      if (low > 0 && rank == 0) raw_[0] = value_by_value(base, first_);
      int const last = vectors - 1;
      if (high < vectors && last % Lanes == rank) {
        vector const edge = value_by_value(base + last * per_vector, last * per_vector - before);
MUSTER_UNROLL
        for (int s = 0; s < Slots; ++s)
          if (s * Lanes + rank == last) raw_[s] = edge;
      }
    }
  }

  // After `read`, once the values are needed: those outside the span become -inf.
  MUSTER_FN void mask() {
    if constexpr (!Aligned) {
MUSTER_UNROLL
      for (int s = 0; s < Slots; ++s) {
        if (is_whole(s)) continue;
MUSTER_UNROLL
        for (int i = 0; i < per_vector; ++i)
          if (!in_span(column(s, i))) put_value(raw_[s], i, lowest());
      }
    }
  }

  // Where value i of slot s lies in the span; outside it if negative or not below its count.
  MUSTER_FN int column(int s, int i) const { return first_ + s * (Lanes * per_vector) + i; }
  MUSTER_FN bool in_span(int column) const { return static_cast<unsigned>(column) < static_cast<unsigned>(count_); }

  // The values of slot s in the type to compute in, -inf outside the span.
  template <class A, class Load>
  MUSTER_FN void widen(int s, A (&values)[per_vector], span_of_row<T const> span, Load const& load) const {
MUSTER_UNROLL
    for (int i = 0; i < per_vector; ++i) {
      A const value = static_cast<A>(value_at<T>(raw_[s], i));
      if constexpr (std::is_same_v<Load, as_is>) {
        values[i] = value;
      } else {
        int const c = column(s, i);
        values[i] = in_span(c) ? static_cast<A>(load(value, span.row, span.column + c)) : lowest_value<A>();
      }
    }
  }

  MUSTER_FN void forget_conversions() {
MUSTER_UNROLL
    for (int s = 0; s < Slots; ++s) detail::forget_conversions(raw_[s]);
  }

  // Stores a value for each that was read in slot s.
  template <class Out, class A, class Store>
  MUSTER_FN void write(int s, A (&values)[per_vector], span_of_row<Out> span, bool in_phase, Store const& store) const {
    int const c = column(s, 0);
    if (c + per_vector <= 0 || c >= count_) return;
    if constexpr (!std::is_same_v<Store, as_is>) {
MUSTER_UNROLL
      for (int i = 0; i < per_vector; ++i)
        if (Aligned || in_span(c + i)) values[i] = static_cast<A>(store(values[i], span.row, span.column + c + i));
    }
    auto const packed_values = rounded<Out>(values);
    Out* const to = span.first + c;
    if (Aligned || (in_phase && is_whole(s))) {
      store_packed(to, packed_values);
      return;
    }
    if constexpr (sizeof(Out) == sizeof(T)) {
      if (in_phase && (c >= 0 || c + per_vector <= count_)) {
        int const begin = c < 0 ? -c : 0, end = c + per_vector > count_ ? count_ - c : per_vector;
        store_end<Out>(to, packed_values, begin * static_cast<int>(sizeof(Out)), end * static_cast<int>(sizeof(Out)));
        return;
      }
    }
MUSTER_UNROLL
    for (int i = 0; i < per_vector; ++i)
      if (in_span(c + i)) to[i] = value_at<Out>(packed_values, i);
  }

 private:
  MUSTER_FN static T lowest() { return numeric<T>::lowest(); }
  MUSTER_FN static vector filled() {
    vector v{};
MUSTER_UNROLL
    for (int i = 0; i < per_vector; ++i) put_value(v, i, lowest());
    return v;
  }
  // All of the slot's values are of the span.
  MUSTER_FN bool is_whole(int s) const {
    int const c = column(s, 0);
    return c >= 0 && c + per_vector <= count_;
  }
  MUSTER_FN vector value_by_value(T const* from, int column) const {
    vector v = filled();
MUSTER_UNROLL
    for (int i = 0; i < per_vector; ++i)
      if (in_span(column + i)) put_value(v, i, from[i]);
    return v;
  }

  vector raw_[Slots];
  int first_;
  int count_;
};

}  // namespace detail
}  // namespace device

MUSTER_END
