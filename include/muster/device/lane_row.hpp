// What one lane holds of a row that several lanes read together: accesses of 16 or fewer bytes, and of a row that they do not fill the values at its edges.
#pragma once

#include <cstdint>
#include <type_traits>

#include <muster/backend/async_copy.hpp>
#include <muster/backend/early_start.hpp>
#include <muster/backend/global_words.hpp>
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
    A const value = widened_at<A, T>(from, i);
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
  template <backend::reading How>
  MUSTER_FN void read(int s, void const* from) {
    if (s < in_registers) word[s] = load_packed<Bytes, How>(from);
    else if constexpr (InShared > 0) backend::copy_16_bytes(&shared[(s - in_registers) * Threads], from);
  }
  MUSTER_FN void wait() const {
    if constexpr (InShared > 0) backend::wait_for_copies();
  }
  MUSTER_FN void forget_conversions(int s) {
    if (s < in_registers) detail::forget_conversions(word[s]);
  }
};

// How many values lie between *p and the next address that is a multiple of Unit bytes.
template <int Unit, class T>
MUSTER_FN int values_up_to(T const* p) {
  return static_cast<int>((Unit - reinterpret_cast<std::uintptr_t>(p) % Unit) % Unit / sizeof(T));
}

// Lane `rank` of `Lanes` holds accesses rank, rank + Lanes, ... of the span, `Slots` of them, `PerAccess` values each. What is not of the span is -inf.
// The span is whole accesses, and aligned to them. Or, with an EdgeUnit, it begins at any value: the accesses are then the aligned ones within it from a multiple of EdgeUnit
// bytes on, and the values before the first and behind the last are the span's edges, one a lane. Input and output are then in phase: an aligned access of one is an aligned
// access of the other.
template <class T, int Lanes, int Slots, int PerAccess, int InShared = 0, int Threads = 1, int EdgeUnit = 0>
class lane_row {
 public:
  static constexpr int slots = Slots;
  static constexpr int in_registers = Slots - InShared;
  static constexpr int per_slot = PerAccess;
  static constexpr int size = Slots * PerAccess;
  static constexpr int most_values = Lanes * size;
  static constexpr bool has_edges = EdgeUnit > 0;
  static constexpr int bytes = PerAccess * static_cast<int>(sizeof(T));
  static constexpr backend::reading usual = bytes == vector_bytes ? backend::reading::once : backend::reading::kept;

  // Where the lane's accesses lie that do not lie in registers.
  MUSTER_FN void hold_in(void* shared) { raw_.shared = static_cast<packed<bytes>*>(shared); }

  // Prefetches to L2 what read() of the same span and rank reads.
  MUSTER_FN static void prefetch(span_of_row<T const> span, int rank) {
    static_assert(!has_edges);
MUSTER_UNROLL
    for (int s = 0; s < Slots; ++s)
      if (int const column = (rank + s * Lanes) * PerAccess; column < span.count) backend::prefetch_to_l2(span.first + column);
  }

  // Begins to read a span, or of its slots only [First, End).
  template <int First = 0, int End = Slots, backend::reading How = usual>
  MUSTER_FN void read(span_of_row<T const> span, matrix<T const> const&, int rank) {
    first_ = rank * PerAccess;
    end_ = span.count;
    if constexpr (has_edges) {
      int const next = values_up_to<EdgeUnit>(span.first), before = next < span.count ? next : span.count;
      int const behind = (span.count - before) % PerAccess;
      first_ += before;
      end_ = span.count - behind;
      edge_ = rank < before ? rank : rank < before + behind ? end_ + rank - before : -1;
      if (First == 0) edge_value_ = edge_ >= 0 ? span.first[edge_] : numeric<T>::lowest();
    }
MUSTER_UNROLL
    for (int s = First; s < End; ++s) {
      if (has(s)) raw_.template read<How>(s, span.first + column(s));
      else raw_.put(s, lowest_packed<T, PerAccess>());
    }
  }
  // To be called before the values are used.
  MUSTER_FN void settle() { raw_.wait(); }

  MUSTER_FN bool has(int s) const { return column(s) < end_; }
  // Slots that hold nothing are worked on like the others: branches would cost more.
  MUSTER_FN bool works_on(int) const { return true; }

  template <class A, class Load>
  MUSTER_FN void widen(int s, A (&values)[PerAccess], span_of_row<T const> span, Load const& load) const {
    widen_packed<A, T>(raw_.get(s), values, span, column(s), end_, load);
  }
  // Values that are to be found in the place of those that were read.
  MUSTER_FN void replace(int s, T const (&values)[PerAccess]) { raw_.put(s, rounded<T>(values)); }
  // Of 16-bit values, without the edge.
  MUSTER_FN float maximum() const { return largest_of_pairs<T, Slots>(raw_); }
  MUSTER_FN void forget_conversions(int s) { raw_.forget_conversions(s); }

  // Stores a value for each that was read in slot s.
  template <class Out, class A, class Store>
  MUSTER_FN void write(int s, A (&values)[PerAccess], span_of_row<Out> span, Store const& store) const {
    if (!has(s)) return;
    apply_store(values, span, column(s), end_, store);
    store_packed(span.first + column(s), rounded<Out>(values));
  }

  // The lane's value at an edge; -inf if it has none.
  template <class A, class Load>
  MUSTER_FN A widened_edge(span_of_row<T const> span, Load const& load) const {
    A const value = static_cast<A>(edge_value_);
    if constexpr (std::is_same_v<Load, as_is>) return value;
    else return edge_ >= 0 ? static_cast<A>(load(value, span.row, span.column + edge_)) : numeric<A>::lowest();
  }
  template <class Out, class A, class Store>
  MUSTER_FN void write_edge(A value, span_of_row<Out> span, Store const& store) const {
    if (edge_ < 0) return;
    A values[1] = {value};
    apply_store(values, span, edge_, edge_ + 1, store);
    span.first[edge_] = static_cast<Out>(values[0]);
  }

 private:
  static_assert(!has_edges || Lanes >= (EdgeUnit + vector_bytes) / static_cast<int>(sizeof(T)) - 2, "each value at an edge has a lane");
  MUSTER_FN int column(int s) const { return first_ + s * (Lanes * PerAccess); }

  held_accesses<bytes, Slots, InShared, Threads> raw_;
  int first_;
  int end_;  // of the accesses
  int edge_ = -1;
  T edge_value_ = numeric<T>::lowest();
};

}  // namespace detail
}  // namespace device

MUSTER_END
