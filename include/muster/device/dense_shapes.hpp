// The tables of short rows, and of some longer ones, that a warp brings to shared memory.
#pragma once

#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/device/softmax_shapes.hpp>

MUSTER_BEGIN

namespace device::detail {

// A tile of Lanes lanes a row in shared memory, Slots accesses of Words words a lane; a warp takes RowsInFlight rows there for each of its tiles. No row that it takes has
// less than Fewest words.
template <int Lanes, int Slots, int Words, int RowsInFlight, int Threads, int Fewest>
struct dense_shape : tile_shape<Lanes, Slots, RowsInFlight, Threads> {
  static constexpr int words = Words, fewest = Fewest;
  static constexpr long long most_accesses = Lanes * Slots * Words;  // of a word
};

// 16-bit values: rows that lie one after the other and are no vectors. With a little between them rows use the first two of these shapes.
inline constexpr int fewest_columns_of_warps = 928;
using dense_shapes = shape_list<        // words, of two values
    dense_shape<1, 5, 2, 6, 128, 1>,    // 10
    dense_shape<1, 5, 4, 4, 64, 10>,    // 20
    dense_shape<2, 4, 4, 3, 32, 20>,    // 32
    dense_shape<1, 13, 4, 1, 32, 32>,   // 52
    dense_shape<4, 8, 4, 2, 64, 52>,    // 128
    dense_shape<32, 17, 1, 4, 32, fewest_columns_of_warps / 2>>;  // 544
template <class First, class Second, class... Rest>
shape_list<First, Second> first_two(shape_list<First, Second, Rest...>);
using nearly_dense_shapes = decltype(first_two(dense_shapes{}));
// Floats: rows with a little between them.
using dense_float_shapes = shape_list<  // values
    dense_shape<1, 5, 4, 2, 128, 1>>;   // 20

// How many words cover a row at most: one of 16-bit values can begin in the middle of a word, and then needs one more.
constexpr long long most_dense_words(long long columns, int value_bytes) { return value_bytes == 2 ? columns / 2 + 1 : columns; }

// A shape takes rows that can have more words than the shape before it holds: each has at least as many as that holds. The warp's shape takes only the longest (is_dense).
template <class... Shapes>
constexpr bool rows_have_fewest_words(shape_list<Shapes...>) {
  long long at_least = 1;
  bool all = true;
  ((all = all && Shapes::fewest <= (Shapes::lanes == warp_size ? fewest_columns_of_warps / 2 : at_least), at_least = Shapes::most_accesses), ...);
  return all;
}
static_assert(rows_have_fewest_words(dense_shapes{}) && rows_have_fewest_words(dense_float_shapes{}), "dense_row relies on it that every row has its shape's fewest words");

// Whether rows that lie one after the other use these shapes. Not those too long for four lanes that would fill few of a warp's slots; nor those of 80, 96 and 192 columns,
// where lanes that read different rows would wait for the same few banks of shared memory.
constexpr bool is_dense(long long columns, int value_bytes) {
  bool const collides = columns == 80 || columns == 96 || columns == 192;
  return value_bytes == 2 && ((columns < 256 && !collides) || (columns >= fewest_columns_of_warps && columns < 1088));
}

// How many words the shape holds that takes rows of so many; 0 if none does.
template <class... Shapes>
constexpr long long words_held(shape_list<Shapes...>, long long words) {
  long long held = 0;
  ((held = held == 0 && words <= Shapes::most_accesses ? Shapes::most_accesses : held), ...);
  return held;
}
// Whether rows with something between them do: where their shape holds that too, and they do not all begin in the same few banks.
constexpr bool is_nearly_dense(long long columns, long long stride, int value_bytes) {
  long long const words = most_dense_words(columns, value_bytes);
  long long const most = value_bytes == 2 ? words_held(nearly_dense_shapes{}, words) : words_held(dense_float_shapes{}, words);
  return stride >= columns && most_dense_words(stride, value_bytes) <= most && stride * value_bytes % 64 != 0;
}

// Short rows that lie apart, by way of shared memory. The third number counts the rows that a warp takes there for each of its tiles.
using staged_shapes = shape_list<       // values
    tile_shape<4, 2, 8>,                // 8
    tile_shape<4, 8, 4>,                // 32
    tile_shape<8, 8, 4>,                // 64
    tile_shape<8, 16, 4>>;              // 128
inline constexpr long long most_staged = 128;

}  // namespace device::detail

MUSTER_END
