// What one lane holds of a row of floats or 16-bit values that lies in shared memory between others: the words that cover it, less what is its neighbours'.
#pragma once

#include <cstdint>

#include <muster/config.hpp>
#include <muster/core/operators.hpp>
#include <muster/device/lane_row.hpp>
#include <muster/device/numbers.hpp>
#include <muster/device/vector.hpp>

MUSTER_BEGIN

namespace device::detail {

// Lane `rank` of `Lanes` holds accesses rank, rank + Lanes, ... of `Words` words, `Slots` of them. Rows have at least Fewest words: what those fill is not asked for.
template <class T, int Lanes, int Slots, int Words, int Fewest>
class dense_row {
  static constexpr int of_word = 4 / static_cast<int>(sizeof(T));  // values

 public:
  static constexpr int slots = Slots;
  static constexpr int in_registers = Slots;
  static constexpr int per_slot = of_word * Words;
  static constexpr int size = Slots * per_slot;
  static constexpr bool has_edges = false;
  static constexpr bool keeps_floats = size <= 40;  // blocks are small, and leave a lane more registers than larger ones

  // The row's `columns` values begin at value `place` behind `words`, in shared memory, where a slot more than the row can be read. `most_words`: that cover any row of the
  // matrix.
  MUSTER_FN void read(std::uint32_t const* words, int place, int columns, int most_words, int rank) {
    most_words_ = most_words;
    odd_ = of_word == 2 ? place & 1 : 0;
    end_ = columns + odd_;
    word_ = rank * Words;
    std::uint32_t const* const from = words + (of_word == 2 ? place >> 1 : place) + word_;
MUSTER_UNROLL
    for (int s = 0; s < Slots; ++s) {
      if (!works_on(s)) continue;
MUSTER_UNROLL
      for (int i = 0; i < Words; ++i) value_[s].word[i] = from[s * stride + i];
      if (s == 0 && word_ == 0 && odd_ != 0) put_value(value_[0], 0, numeric<T>::lowest());
      if (!is_inside(s)) {
MUSTER_UNROLL
        for (int i = 0; i < per_slot; ++i)
          if (first_of(s) + i >= end_) put_value(value_[s], i, numeric<T>::lowest());
      }
    }
  }

  // The same for all lanes and all rows of a matrix.
  MUSTER_FN bool works_on(int s) const { return s * stride < Fewest || s * stride < most_words_; }

  template <class A, class Load>
  MUSTER_FN void widen(int s, A (&values)[per_slot], span_of_row<T const> span, Load const& load) const {
    widen_packed<A, T>(value_[s], values, span, first_of(s) - odd_, end_ - odd_, load);
  }
  // Of 16-bit values.
  MUSTER_FN float maximum() const {
    packed<4> result{{value_[0].word[0]}};
MUSTER_UNROLL
    for (int s = 0; s < Slots; ++s) {
      if (!works_on(s)) continue;
MUSTER_UNROLL
      for (int i = 0; i < Words; ++i) result.word[0] = larger_pair<T>(result.word[0], value_[s].word[i]);
    }
    return muster::maximum{}(widened_at<float, T>(result, 0), widened_at<float, T>(result, 1));
  }
  MUSTER_FN void replace(int s, T const (&values)[per_slot]) { value_[s] = rounded<T>(values); }
  MUSTER_FN void forget_conversions(int s) { detail::forget_conversions(value_[s]); }

  // Puts a result for each value that was read in slot s into its place in shared memory.
  template <class Out, class A, class Store>
  MUSTER_FN void write(int s, A (&values)[per_slot], span_of_row<Out> span, Store const& store, std::uint32_t* words, int place) const {
    apply_store(values, span, first_of(s) - odd_, end_ - odd_, store);
    auto const results = rounded<Out>(values);
    std::uint32_t* const to = words + (of_word == 2 ? place >> 1 : place) + word_ + s * stride;
    bool const is_half = s == 0 && word_ == 0 && odd_ != 0;
    if (is_half) put_half(to, 1, results.word[0] >> 16);
    if (is_inside(s)) {
MUSTER_UNROLL
      for (int i = 0; i < Words; ++i)
        if (s > 0 || i > 0 || !is_half) to[i] = results.word[i];
    } else {
MUSTER_UNROLL
      for (int i = 0; i < Words; ++i) {
        if (s == 0 && i == 0 && is_half) continue;
        int const left = end_ - first_of(s) - of_word * i;
        if (left >= of_word) to[i] = results.word[i];
        else if (left > 0) put_half(to + i, 0, results.word[i]);
      }
    }
  }

 private:
  static constexpr int stride = Lanes * Words;
  // Counted from the word in which the row begins.
  MUSTER_FN int first_of(int s) const { return of_word * (word_ + s * stride); }
  // None of the lanes' words of the slot is the row's last, or behind it.
  MUSTER_FN bool is_inside(int s) const { return (s + 1) * stride < Fewest || (s + 1) * stride < most_words_; }
  MUSTER_FN static void put_half(std::uint32_t* word, int half, std::uint32_t value) {
    std::uint16_t const bits = static_cast<std::uint16_t>(value);
    __builtin_memcpy(__builtin_assume_aligned(reinterpret_cast<char*>(word) + 2 * half, 2), &bits, 2);
  }

  packed<4 * Words> value_[Slots];
  int most_words_;
  int odd_;   // 1: the row begins in the middle of a word
  int end_;   // where the row ends, in values from that word on
  int word_;  // the lane's first, from that word on
};

}  // namespace device::detail

MUSTER_END
