// What one lane holds of a row that its warp has put into shared memory: values, one by one, wherever the row begins.
#pragma once

#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/operators.hpp>
#include <muster/device/lane_row.hpp>
#include <muster/device/numbers.hpp>

MUSTER_BEGIN

namespace device::detail {

// Lane `rank` of `Lanes` holds values rank, rank + Lanes, ... of the row, `Slots` of them, counted from value `rotation` on and around the row's end.
template <class T, int Lanes, int Slots>
class staged_row {
 public:
  static constexpr int slots = Slots;
  static constexpr int in_registers = Slots;
  static constexpr int per_slot = 1;
  static constexpr int size = Slots;
  static constexpr bool has_edges = false;

  // The row's values lie in shared memory from `first` on.
  MUSTER_FN void read(T const* first, int count, int rotation, int rank) {
    first_ = rank;
    count_ = count;
    rotation_ = rotation;
MUSTER_UNROLL
    for (int s = 0; s < Slots; ++s) value_[s] = has(s) ? first[column(s)] : numeric<T>::lowest();
  }

  MUSTER_FN bool has(int s) const { return first_ + s * Lanes < count_; }
  // The same for all lanes, and all rows of a matrix.
  MUSTER_FN bool works_on(int s) const { return s * Lanes < count_; }

  template <class A, class Load>
  MUSTER_FN void widen(int s, A (&values)[1], span_of_row<T const> span, Load const& load) const {
    values[0] = static_cast<A>(value_[s]);
    if constexpr (!std::is_same_v<Load, as_is>) values[0] = has(s) ? static_cast<A>(load(values[0], span.row, span.column + column(s))) : numeric<A>::lowest();
  }
  MUSTER_FN void replace(int s, T const (&values)[1]) { value_[s] = values[0]; }
  // Of 16-bit values.
  MUSTER_FN float maximum() const {
    float result = static_cast<float>(value_[0]);
MUSTER_UNROLL
    for (int s = 1; s < Slots; ++s) result = muster::maximum{}(result, static_cast<float>(value_[s]));
    return result;
  }
  MUSTER_FN void forget_conversions(int) {}

  // Puts a result for each value that was read in slot s into shared memory, the row's first at span.first.
  template <class Out, class A, class Store>
  MUSTER_FN void write(int s, A (&values)[1], span_of_row<Out> span, Store const& store) const {
    if (!has(s)) return;
    apply_store(values, span, column(s), count_, store);
    span.first[column(s)] = static_cast<Out>(values[0]);
  }

 private:
  MUSTER_FN int column(int s) const {
    int const c = first_ + rotation_ + s * Lanes;
    return c < count_ ? c : c - count_;
  }

  T value_[Slots];
  int first_;
  int count_;
  int rotation_;
};

}  // namespace device::detail

MUSTER_END
