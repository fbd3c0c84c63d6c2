// What a lane makes of its values of a row: the maximum, the sum of exponentials, and the result: softmax, its logarithm, or the logarithm of the sum.
#pragma once

#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/operators.hpp>
#include <muster/device/lane_row.hpp>
#include <muster/device/numbers.hpp>

MUSTER_BEGIN

namespace device::detail {

// --- results ------------------------------------------------------------------------------------------------------------------------------

// `replaced`: which maxima are not subtracted. `keeps_exponentials`: finish gets exp(value - reference) of each value, already relative to the row's reference
// up to the factor `weight`; otherwise the value itself.
template <empty_row Empty>
struct softmax_result {
  static constexpr auto replaced = muster::detail::replaced_for<Empty>;
  static constexpr bool writes_values = true;
  static constexpr bool keeps_exponentials = true;

  template <class Exponent, class A = typename Exponent::type>
  struct finish {
    A factor;
    MUSTER_FN finish(row_sum<Exponent> const& row, A weight) : factor(row.template scale<Empty>() * weight) {}
    MUSTER_FN A operator()(A exponential) const { return exponential * factor; }
  };
};

template <empty_row Empty>
struct log_softmax_result {
  static constexpr auto replaced = muster::detail::replaced_for<Empty>;
  static constexpr bool writes_values = true;
  static constexpr bool keeps_exponentials = false;

  template <class Exponent, class A = typename Exponent::type>
  struct finish {
    A reference, log_sum;
    MUSTER_FN finish(row_sum<Exponent> const& row, A) : reference(row.exponent.reference()), log_sum(row.template log_sum<Empty>()) {}
    MUSTER_FN A operator()(A value) const { return value - reference - log_sum; }
  };
};

struct log_sum_exp_result {
  static constexpr auto replaced = replaced_maximum::infinite;
  static constexpr bool writes_values = false;
  static constexpr bool keeps_exponentials = false;
};

// What values of In are computed in.
template <class In>
using computed = std::conditional_t<std::is_same_v<In, double>, double, float>;

// --- values of one lane -------------------------------------------------------------------------------------------------------------------

// The sum of exponentials; where Keep, they stay in `values`. Four sums, so that an addition does not wait for the one before.
template <bool Keep, class A, int N, class Exponent>
MUSTER_FN void add_exponentials(A (&sums)[4], A (&values)[N], Exponent const& exponent) {
MUSTER_UNROLL
  for (int i = 0; i < N; ++i) {
    A const e = exponent(values[i]);
    if constexpr (Keep) values[i] = e;
    sums[i % 4] += e;
  }
}
template <class A>
MUSTER_FN A total_of(A const (&sums)[4]) {
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <class A, int N>
MUSTER_FN A own_maximum(A so_far, A const (&values)[N]) {
MUSTER_UNROLL
  for (int i = 0; i < N; ++i) so_far = maximum{}(so_far, values[i]);
  return so_far;
}

// How exponentials are taken of values of In that Load gives.
template <class In, class Load>
using exponent_of = std::conditional_t<sizeof(In) == 2 && std::is_same_v<Load, as_is>, fused_exponent, plain_exponent<computed<In>>>;

// Of a row that says so itself, where it is only used in kernels that leave a lane more registers than most.
template <class Row>
inline constexpr bool may_keep_floats = requires { requires Row::keeps_floats; };

// A lane's values in the type to compute in: in registers, where `is_held`; otherwise they stay packed and are widened, and exponentials taken, each time anew.
// 32 floats and more a lane would leave a block of 1024 threads too few registers. Values that lie in shared memory are replaced there by what is made of them if it has
// their type, and are else widened anew.
template <class Result, class Row, class In, class Load, class Exponent = exponent_of<In, Load>, bool MayKeepFloats = may_keep_floats<Row>>
class lane_values {
 public:
  using A = computed<In>;
  using exponent = Exponent;
  static constexpr bool is_held = sizeof(In) >= 4 || Row::per_slot == 1 || Row::size < 32 || MayKeepFloats || !std::is_same_v<Load, as_is>;
  static constexpr bool is_replaced = std::is_same_v<In, A>;

  MUSTER_FN lane_values(Row& packed, span_of_row<In const> span, Load const& load) : packed_(packed), span_(span), load_(load) {
    if constexpr (is_held) {
MUSTER_UNROLL
      for (int s = 0; s < Row::in_registers; ++s)
        if (packed_.works_on(s)) packed_.widen(s, held_[s], span_, load_);
    }
    if constexpr (Row::has_edges) edge_ = packed_.template widened_edge<A>(span_, load_);
  }

  MUSTER_FN A maximum() const {
    if constexpr (std::is_same_v<exponent, fused_exponent>) {
      if constexpr (Row::has_edges) return muster::maximum{}(packed_.maximum(), edge_);
      else return packed_.maximum();
    }
    A result = numeric<A>::lowest();
    if constexpr (Row::has_edges) result = edge_;
MUSTER_UNROLL
    for (int s = 0; s < Row::in_registers; ++s) {
      if (!packed_.works_on(s)) continue;
      result = own_maximum(result, held_[s]);
    }
MUSTER_UNROLL
    for (int s = Row::in_registers; s < Row::slots; ++s) {
      A values[Row::per_slot];
      packed_.widen(s, values, span_, load_);
      result = own_maximum(result, values);
    }
    return result;
  }

  // The same of whole accesses in registers, in fewer steps that wait for each other.
  MUSTER_FN A maximum_by_pairs() const {
    static_assert(is_held && Row::in_registers == Row::slots && !Row::has_edges);
    A of[Row::size];
MUSTER_UNROLL
    for (int i = 0; i < Row::size; ++i) of[i] = held_[i / Row::per_slot][i % Row::per_slot];
MUSTER_UNROLL
    for (int step = 1; step < Row::size; step *= 2) {
MUSTER_UNROLL
      for (int i = 0; i + step < Row::size; i += 2 * step) of[i] = muster::maximum{}(of[i], of[i + step]);
    }
    return of[0];
  }

  MUSTER_FN A sum(exponent const& exponent) {
    A sums[4] = {A(0), A(0), A(0), A(0)};
MUSTER_UNROLL
    for (int s = 0; s < Row::in_registers; ++s) {
      if (!packed_.works_on(s)) continue;
      if constexpr (is_held) {
        add_exponentials<Result::keeps_exponentials>(sums, held_[s], exponent);
      } else {
        packed_.forget_conversions(s);
        A values[Row::per_slot];
        packed_.widen(s, values, span_, load_);
        add_exponentials<false>(sums, values, exponent);
      }
    }
MUSTER_UNROLL
    for (int s = Row::in_registers; s < Row::slots; ++s) {
      A values[Row::per_slot];
      packed_.widen(s, values, span_, load_);
      add_exponentials<is_replaced && Result::keeps_exponentials>(sums, values, exponent);
      if constexpr (is_replaced && Result::keeps_exponentials) packed_.replace(s, values);
    }
    if constexpr (Row::has_edges) {
      A values[1] = {edge_};
      add_exponentials<Result::keeps_exponentials>(sums, values, exponent);
      edge_ = values[0];
    }
    return total_of(sums);
  }

  // Stores the results; `weight` as in part_of_sum, `place` what the row's own `write` takes.
  template <class Out, class Store, class... Place>
  MUSTER_FN void write(row_sum<exponent> const& row, A weight, span_of_row<Out> to, Store const& store, Place... place) {
    write_slots<0, Row::in_registers, is_held>(row, weight, to, store, place...);
    write_slots<Row::in_registers, Row::slots, is_replaced && Result::keeps_exponentials>(row, weight, to, store, place...);
    if constexpr (Row::has_edges) {
      typename Result::template finish<exponent> const finish(row, weight);
      packed_.write_edge(finish(edge_), to, store);
    }
  }

 private:
  // Slots of which the results, but for a factor, are `Made` already.
  template <int First, int End, bool Made, class Out, class Store, class... Place>
  MUSTER_FN void write_slots(row_sum<exponent> const& row, A weight, span_of_row<Out> to, Store const& store, Place... place) {
    constexpr bool in_registers = First == 0;
    typename Result::template finish<exponent> const finish(row, Made ? weight : A(1));
MUSTER_UNROLL
    for (int s = First; s < End; ++s) {
      if (!packed_.works_on(s)) continue;
      A values[Row::per_slot];
      if constexpr (!in_registers && Made) {
        packed_.widen(s, values, span_, as_is{});
      } else if constexpr (!in_registers || !is_held) {
        packed_.forget_conversions(s);
        packed_.widen(s, values, span_, load_);
      }
MUSTER_UNROLL
      for (int i = 0; i < Row::per_slot; ++i) {
        A value = in_registers && is_held ? held_[s < Row::in_registers ? s : 0][i] : values[i];
        if constexpr (!Made && Result::keeps_exponentials) value = row.exponent(value);
        values[i] = finish(value);
      }
      packed_.write(s, values, to, store, place...);
    }
  }

  Row& packed_;
  span_of_row<In const> span_;
  Load const& load_;
  A edge_ = numeric<A>::lowest();
  A held_[is_held ? Row::in_registers : 1][Row::per_slot];
};

}  // namespace device::detail

MUSTER_END
