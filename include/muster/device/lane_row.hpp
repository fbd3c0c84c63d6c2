// What one lane holds of a row that several lanes read together, where every row is whole accesses of 16 or fewer bytes, and aligned to them.
#pragma once

#include <type_traits>

#include <muster/backend/async_copy.hpp>
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

// The accesses that a lane holds: the first in registers, the last `InShared` in shared memory, each lane's own at a distance of `Threads`. A row that lies in shared memory
// leaves registers to a second block beside it, or is held by fewer blocks.
template <int Bytes, int Slots, int InShared, int Threads>
struct held_accesses {
  static constexpr int bytes = Bytes;
  static constexpr int in_registers = Slots - InShared;
  static_assert(InShared == 0 || Bytes == vector_bytes);
  packed<Bytes> word[in_registers];
  packed<Bytes>* shared;  // the lane's first

  MUSTER_FN packed<Bytes> get(int s) const { return s < in_registers ? word[s] : shared[(s - in_registers) * Threads]; }
  MUSTER_FN void put(int s, packed<Bytes> const& value) {
    if (s < in_registers) word[s] = value;
    else shared[(s - in_registers) * Threads] = value;
  }
  // Begins to read access s; wait() ends it.
  template <bool Keep>
  MUSTER_FN void read(int s, void const* from) {
    if (s < in_registers) word[s] = load_packed<Bytes, Keep>(from);
    else if constexpr (InShared > 0) backend::copy_16_bytes(&shared[(s - in_registers) * Threads], from);
  }
  MUSTER_FN void wait() const {
    if constexpr (InShared > 0) backend::wait_for_copies();
  }
  MUSTER_FN void forget_conversions(int s) {
    if (s < in_registers) detail::forget_conversions(word[s]);
  }
};

// Lane `rank` of `Lanes` holds accesses rank, rank + Lanes, ... of the span, `Slots` of them, `PerAccess` values each. What is not of the span is -inf.
template <class T, int Lanes, int Slots, int PerAccess, int InShared = 0, int Threads = 1>
class lane_row {
 public:
  static constexpr int slots = Slots;
  static constexpr int in_registers = Slots - InShared;
  static constexpr int per_slot = PerAccess;
  static constexpr int size = Slots * PerAccess;
  static constexpr int most_values = Lanes * size;

  // Where the lane's accesses lie that do not lie in registers.
  MUSTER_FN void hold_in(void* shared) { raw_.shared = static_cast<packed<bytes>*>(shared); }

  // Begins to read a span of the matrix, or of its slots only [First, End).
  template <int First = 0, int End = Slots>
  MUSTER_FN void read(span_of_row<T const> span, matrix<T const> const&, int rank) {
    first_ = rank * PerAccess;
    count_ = span.count;
MUSTER_UNROLL
    for (int s = First; s < End; ++s) {
      if (has(s)) raw_.template read<bytes != vector_bytes>(s, span.first + column(s));
      else raw_.put(s, lowest_packed<T, PerAccess>());
    }
  }
  // To be called before the values are used.
  MUSTER_FN void settle() { raw_.wait(); }

  MUSTER_FN bool has(int s) const { return column(s) < count_; }
  // Slots that hold nothing are worked on like the others: branches would cost more.
  MUSTER_FN bool works_on(int) const { return true; }

  template <class A, class Load>
  MUSTER_FN void widen(int s, A (&values)[PerAccess], span_of_row<T const> span, Load const& load) const {
    widen_packed<A, T>(raw_.get(s), values, span, column(s), count_, load);
  }
  // Values that are to be found in the place of those that were read.
  MUSTER_FN void replace(int s, T const (&values)[PerAccess]) { raw_.put(s, rounded<T>(values)); }
  // Of 16-bit values.
  MUSTER_FN float maximum() const { return largest_of_pairs<T, Slots>(raw_); }
  MUSTER_FN void forget_conversions(int s) { raw_.forget_conversions(s); }

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

  held_accesses<bytes, Slots, InShared, Threads> raw_;
  int first_;
  int count_;
};

}  // namespace detail
}  // namespace device

MUSTER_END
