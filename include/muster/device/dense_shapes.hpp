// The tables of short rows, and of some longer ones, that a warp brings to shared memory.
#pragma once

#include <muster/config.hpp>
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

// Rows that lie one after the other, or nearly, and are no vectors, by way of shared memory: of 16-bit values,
inline constexpr int fewest_columns_of_warps = 928;
using dense_shapes = shape_list<        // words, of two values
    dense_shape<1, 5, 2, 6, 128, 1>,    // 10
    dense_shape<1, 5, 4, 4, 64, 10>,    // 20
    dense_shape<2, 4, 4, 3, 32, 20>,    // 32
    dense_shape<1, 13, 4, 1, 32, 32>,   // 52
    dense_shape<4, 8, 4, 2, 64, 52>,    // 128
    dense_shape<32, 17, 1, 4, 32, fewest_columns_of_warps / 2>>;  // 544
// and of floats, if there is something between them.
using dense_float_shapes = shape_list<  // values
    dense_shape<1, 5, 4, 2, 128, 1>>;   // 20
constexpr long long most_dense_words(long long columns, int value_bytes) { return value_bytes == 2 ? columns / 2 + 1 : columns; }
// But for rows between those of a warp's tile and of a quarter of it, which fill neither well, and those whose like values lie in few of shared memory's banks.
constexpr bool is_dense(long long columns, int value_bytes) {
  bool const collides = columns == 80 || columns == 96 || columns == 192;
  return value_bytes == 2 && ((columns < 256 && !collides) || (columns >= fewest_columns_of_warps && columns < 1088));
}
constexpr bool is_nearly_dense(long long columns, long long stride, int value_bytes) {
  long long const most = value_bytes == 2 && most_dense_words(columns, 2) <= 10 ? 10 : 20;  // words of the shape that takes the row
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
