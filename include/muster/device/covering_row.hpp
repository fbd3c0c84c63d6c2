// What one lane holds of a row that begins at any of its values: the aligned vectors of 16 bytes that cover the row, less what is its neighbours'.
// Input and output are in phase: a vector of one is a vector of the other.
#pragma once

#include <cstdint>
#include <type_traits>

#include <muster/backend/global_words.hpp>
#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/device/lane_row.hpp>
#include <muster/device/numbers.hpp>
#include <muster/device/vector.hpp>

MUSTER_BEGIN

namespace device::detail {

// How many values lie between *p and the last address before it that is a multiple of Unit bytes.
template <int Unit, class T>
MUSTER_FN int values_before(T const* p) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(p) % Unit / sizeof(T));
}

// Where vectors of results go: to their place, or to shared memory that begins at `base`, permuted so that rows of a power of two of bytes do not lie in the same banks.
struct in_place {
  template <class Out>
  MUSTER_FN Out* of(Out* to) const {
    return to;
  }
};
struct in_shared {
  char* base;

  MUSTER_FN static int permuted(int byte) { return byte ^ (byte >> 7 & 7) << 4; }
  template <class Out>
  MUSTER_FN Out* of(Out* to) const {
    return reinterpret_cast<Out*>(base + permuted(static_cast<int>(reinterpret_cast<char*>(to) - base)));
  }
};

// Lane `rank` of `Lanes` holds vectors rank, rank + Lanes, ... of those that cover the span, `Slots` of them.
template <class T, int Lanes, int Slots, int InShared = 0, int Threads = 1>
class covering_row {
 public:
  static constexpr int slots = Slots;
  static constexpr int in_registers = Slots - InShared;
  static constexpr int per_slot = vector_size<T>;
  static constexpr int size = Slots * per_slot;
  // Where whole warps read a row, its first lane begins at a line of 128 bytes: no sector is then stored by two warps, but for the row's ends.
  static constexpr int unit = Lanes > warp_size ? line_bytes : vector_bytes;
  static constexpr int most_values = (Lanes * Slots - unit / vector_bytes) * per_slot;  // covered wherever the span begins

  static constexpr bool has_edges = false;

  // Few lanes read less than a sector of a row at once, or rows that end in it: L1 keeps it for the next.
  static constexpr backend::reading usual = Lanes < 16 ? backend::reading::kept : backend::reading::once;

  // Where the lane's vectors lie that do not lie in registers.
  MUSTER_FN void hold_in(void* shared) { raw_.shared = static_cast<vector*>(shared); }

  // Begins to read a span, or of its slots only [First, End); `rows` says where memory ends: a vector that reaches beyond it is read value by value.
  template <int First = 0, int End = Slots>
  MUSTER_FN void read(span_of_row<T const> span, matrix<T const> const& rows, int rank) {
    int const before = values_before<unit>(span.first);
    T const* const base = span.first - before;
    first_ = rank * per_slot - before;
    count_ = span.count;
    int const head = before / per_slot, vectors = span.count == 0 ? 0 : (before + span.count + per_slot - 1) / per_slot;
    int low = head, high = vectors;
    if (vectors > 0 && base + head * per_slot < rows.data) low = head + 1;
    if (vectors > 0 && base + vectors * per_slot > rows.data + ((rows.rows - 1) * rows.stride + rows.columns)) high = vectors - 1;
MUSTER_UNROLL
    for (int s = First; s < End; ++s) {
      int const v = s * Lanes + rank;
      if (v >= low && v < high) raw_.template read<usual>(s, base + v * per_slot);
      else raw_.put(s, lowest_packed<T, per_slot>());
    }
    if (First == 0 && low > head && rank == head) raw_.put(0, value_by_value(base + head * per_slot, first_));
    int const last = vectors - 1;
    if (high < vectors && last % Lanes == rank) {
      vector const edge = value_by_value(base + last * per_slot, last * per_slot - before);
MUSTER_UNROLL
      for (int s = First; s < End; ++s)
        if (s * Lanes + rank == last) raw_.put(s, edge);
    }
  }

  // The neighbours' values become -inf.
  MUSTER_FN void settle() {
    raw_.wait();
MUSTER_UNROLL
    for (int s = 0; s < Slots; ++s) {
      if (is_whole(s) || !has(s)) continue;
      vector edge = raw_.get(s);
MUSTER_UNROLL
      for (int i = 0; i < per_slot; ++i)
        if (s == 0 ? !in_span(column(s) + i) : column(s) + i >= count_) put_value(edge, i, numeric<T>::lowest());
      raw_.put(s, edge);
    }
  }

  // Whether some value of the slot is of the span; only the first slot can begin before it.
  MUSTER_FN bool has(int s) const { return column(s) < count_ && (s > 0 || column(s) > -per_slot); }
  // A slot that holds nothing costs a branch. Blocks do without it where it would seldom be taken.
  MUSTER_FN bool works_on(int s) const { return s == 0 || (Lanes > warp_size && s < (Slots + 1) / 2) || has(s); }

  template <class A, class Load>
  MUSTER_FN void widen(int s, A (&values)[per_slot], span_of_row<T const> span, Load const& load) const {
    widen_packed<A, T>(raw_.get(s), values, span, column(s), count_, load);
  }
  // Values that are to be found in the place of those that were read.
  MUSTER_FN void replace(int s, T const (&values)[per_slot]) { raw_.put(s, rounded<T>(values)); }
  // Of 16-bit values.
  MUSTER_FN float maximum() const { return largest_of_pairs<T, Slots>(raw_); }
  MUSTER_FN void forget_conversions(int s) { raw_.forget_conversions(s); }

  // Stores a value for each that was read in slot s.
  template <class Out, class A, class Store, class Place = in_place>
  MUSTER_FN void write(int s, A (&values)[per_slot], span_of_row<Out> span, Store const& store, Place place = {}) const {
    static_assert(sizeof(Out) == sizeof(T));
    int const c = column(s);
    if (!has(s)) return;
    apply_store(values, span, c, count_, store);
    vector const v = rounded<Out>(values);
    Out* const to = place.of(span.first + c);
    int const end = c + per_slot > count_ ? count_ - c : per_slot;
    if (s == 0 && c < 0) {  // only the first vector of all can begin before the span
      if (end == per_slot) {
        store_end<Out>(to, v, -c * static_cast<int>(sizeof(Out)), vector_bytes);
      } else {
MUSTER_UNROLL
        for (int i = 0; i < per_slot; ++i)
          if (in_span(c + i)) to[i] = value_at<Out>(v, i);
      }
    } else if (end == per_slot) {
      if constexpr (std::is_same_v<Place, in_shared>) *reinterpret_cast<vector*>(to) = v;
      else store_packed(to, v);
    } else {
      store_end<Out>(to, v, 0, end * static_cast<int>(sizeof(Out)));
    }
  }

 private:
  MUSTER_FN int column(int s) const { return first_ + s * (Lanes * per_slot); }
  MUSTER_FN bool in_span(int c) const { return static_cast<unsigned>(c) < static_cast<unsigned>(count_); }
  // All of the slot's values are of the span.
  MUSTER_FN bool is_whole(int s) const { return (s > 0 || column(s) >= 0) && column(s) + per_slot <= count_; }
  MUSTER_FN vector value_by_value(T const* from, int c) const {
    vector v = lowest_packed<T, per_slot>();
MUSTER_UNROLL
    for (int i = 0; i < per_slot; ++i)
      if (in_span(c + i)) put_value(v, i, from[i]);
    return v;
  }

  held_accesses<vector_bytes, Slots, InShared, Threads> raw_;
  int first_;
  int count_;
};

}  // namespace device::detail

MUSTER_END
