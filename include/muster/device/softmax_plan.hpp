// Which kernel takes rows of which length: one table of shapes, and plan_for, which asks it.
#pragma once

#include <cstddef>
#include <string>

#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/device/vector.hpp>

MUSTER_BEGIN

namespace device {

// Who works on a row. tile: up to 32 lanes, the row in their registers; block: a whole block, the row in its registers; reread: a block that reads the row twice,
// because it is longer than registers hold.
enum class row_way : unsigned char { tile, block, reread };

constexpr char const* name_of(row_way way) { return way == row_way::tile ? "tile" : way == row_way::block ? "block" : "reread"; }

namespace detail {

// A tile of Lanes lanes a row, Slots vectors a lane, RowsInFlight rows read before the first is worked on.
template <int Lanes, int Slots, int RowsInFlight, int Threads = 128>
struct tile_shape {
  static constexpr row_way way = row_way::tile;
  static constexpr int lanes = Lanes, slots = Slots, rows_in_flight = RowsInFlight, threads = Threads;
  static constexpr int rows_per_block = Threads / Lanes * RowsInFlight;
  static constexpr long long most_vectors = Lanes * Slots;
};

// A block of Threads threads a row, Slots vectors a thread.
template <int Threads, int Slots>
struct block_shape {
  static constexpr row_way way = row_way::block;
  static constexpr int lanes = Threads, slots = Slots, rows_in_flight = 1, threads = Threads;
  static constexpr int rows_per_block = 1;
  static constexpr long long most_vectors = Threads * Slots;
};

// A block of Threads threads a row, which takes it in pieces of Slots vectors a thread, twice.
template <int Threads, int Slots>
struct reread_shape {
  static constexpr row_way way = row_way::reread;
  static constexpr int lanes = Threads, slots = Slots, rows_in_flight = 1, threads = Threads;
  static constexpr int rows_per_block = 1;
  static constexpr long long most_vectors = -1;  // any number
};

template <class... Shapes>
struct shape_list {};

// The table: the first shape that holds a row takes it. A row is counted in vectors of 16 bytes, so one table serves all types.
using softmax_shapes = shape_list<      // bytes of a row, at most
    tile_shape<1, 1, 4>,                // 16
    tile_shape<2, 1, 4>,                // 32
    tile_shape<4, 1, 4>,                // 64
    tile_shape<8, 1, 4>,                // 128
    tile_shape<16, 1, 4>,               // 256
    tile_shape<32, 1, 4>,               // 512
    tile_shape<32, 2, 2>,               // 1 Ki
    tile_shape<32, 4, 1>,               // 2 Ki
    block_shape<64, 4>,                 // 4 Ki
    block_shape<128, 4>,                // 8 Ki
    block_shape<256, 4>,                // 16 Ki
    block_shape<512, 4>,                // 32 Ki
    block_shape<1024, 4>,               // 64 Ki
    block_shape<1024, 8>,               // 128 Ki
    reread_shape<512, 4>>;              // any

// How many vectors cover a row, wherever it begins.
template <class T>
constexpr long long vectors_of_row(long long columns, bool aligned) {
  return aligned ? columns / vector_size<T> : (columns + 2 * vector_size<T> - 2) / vector_size<T>;
}

constexpr bool holds(long long most_vectors, long long vectors) { return most_vectors < 0 || vectors <= most_vectors; }

// f(Shape{}) with the table's shape for rows of that many vectors.
template <class F, class First, class... Rest>
void with_shape(shape_list<First, Rest...>, long long vectors, F const& f) {
  if constexpr (sizeof...(Rest) == 0) {
    f(First{});
  } else if (holds(First::most_vectors, vectors)) {
    f(First{});
  } else {
    with_shape(shape_list<Rest...>{}, vectors, f);
  }
}

}  // namespace detail

// How rows are worked on.
struct row_plan {
  row_way way;
  bool aligned;          // every row begins at a vector of 16 bytes and is whole vectors long
  int lanes;             // that share a row
  int vectors_per_lane;  // of 16 bytes; with `reread`, at a time
  int values_per_lane;
  int rows_in_flight;    // that a tile reads before it works on the first
  int threads;           // of a block
  long long blocks;

  char const* name() const { return name_of(way); }

  // In one line, for a person.
  std::string text() const {
    std::string const row = way == row_way::tile    ? "a tile of " + std::to_string(lanes) + " lanes holds a row"
                            : way == row_way::block ? "a block of " + std::to_string(lanes) + " threads holds a row"
                                                    : "a block of " + std::to_string(lanes) + " threads reads a row twice";
    return std::string(name()) + ": " + row + ", " + std::to_string(values_per_lane) + " values (" + std::to_string(vectors_per_lane) + " vectors) a lane" +
           (way == row_way::reread ? " at a time" : "") + ", " + std::to_string(rows_in_flight) + (rows_in_flight == 1 ? " row" : " rows") + " in flight, " +
           std::to_string(blocks) + " blocks of " + std::to_string(threads) + ", " + (aligned ? "aligned rows" : "rows of any alignment");
  }
};

namespace detail {

template <class T, class Shape>
row_plan plan_of(Shape, long long rows, bool aligned) {
  return {Shape::way, aligned, Shape::lanes, Shape::slots, Shape::slots * vector_size<T>, Shape::rows_in_flight, Shape::threads,
          (rows + Shape::rows_per_block - 1) / Shape::rows_per_block};
}

}  // namespace detail

// What softmax, log_softmax and log_sum_exp do with `rows` rows of `columns` values of T that lie one after the other from an aligned address (what cudaMalloc gives),
// and go to memory that lies likewise.
template <class T>
row_plan plan_for(long long rows, long long columns) {
  bool const aligned = columns % detail::vector_size<T> == 0;
  row_plan plan{};
  detail::with_shape(detail::softmax_shapes{}, detail::vectors_of_row<T>(columns, aligned), [&](auto shape) { plan = detail::plan_of<T>(shape, rows, aligned); });
  return plan;
}

}  // namespace device

MUSTER_END
