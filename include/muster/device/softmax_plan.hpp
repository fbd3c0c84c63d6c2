// Which kernel takes rows of which length: one table of shapes, and plan_for, which asks it.
#pragma once

#include <cstddef>
#include <string>

#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/device/row_access.hpp>
#include <muster/device/vector.hpp>

MUSTER_BEGIN

namespace device {

// Who works on a row. tile: up to 32 lanes, the row in their registers; block: a whole block, the row in its registers; cluster: several blocks of one
// cluster, the row in their registers; reread: a block that reads the row twice, because it is longer than registers hold.
enum class row_way : unsigned char { tile, block, cluster, reread };

constexpr char const* name_of(row_way way) { return way == row_way::tile ? "tile" : way == row_way::block ? "block" : way == row_way::cluster ? "cluster" : "reread"; }

namespace detail {

// A tile of Lanes lanes a row, Slots accesses a lane, RowsInFlight rows read before the first is worked on.
template <int Lanes, int Slots, int RowsInFlight, int Threads = 128>
struct tile_shape {
  static constexpr row_way way = row_way::tile;
  static constexpr int lanes = Lanes, slots = Slots, rows_in_flight = RowsInFlight, threads = Threads;
  static constexpr int rows_per_block = Threads / Lanes * RowsInFlight;
  static constexpr long long most_accesses = Lanes * Slots;
};

// A block of Threads threads a row, Slots accesses a thread.
template <int Threads, int Slots>
struct block_shape {
  static constexpr row_way way = row_way::block;
  static constexpr int lanes = Threads, slots = Slots, rows_in_flight = 1, threads = Threads;
  static constexpr int rows_per_block = 1;
  static constexpr long long most_accesses = Threads * Slots;
};

// A cluster of Blocks blocks of Threads threads a row, Slots accesses a thread.
template <int Blocks, int Threads, int Slots>
struct cluster_shape {
  static constexpr row_way way = row_way::cluster;
  static constexpr int blocks = Blocks, lanes = Blocks * Threads, slots = Slots, rows_in_flight = 1, threads = Threads;
  static constexpr int rows_per_block = 1;
  static constexpr long long most_accesses = Blocks * Threads * Slots;
};

// A block of Threads threads a row, which takes it in pieces of Slots accesses a thread, twice.
template <int Threads, int Slots>
struct reread_shape {
  static constexpr row_way way = row_way::reread;
  static constexpr int lanes = Threads, slots = Slots, rows_in_flight = 1, threads = Threads;
  static constexpr int rows_per_block = 1;
  static constexpr long long most_accesses = -1;  // any number
};

template <class... Shapes>
struct shape_list {};

// The tables: the first shape that holds a row takes it. Rows are counted in accesses, so that one table serves all types.
using vector_shapes = shape_list<       // bytes of a row, at most, in accesses of 16
    tile_shape<1, 1, 4>,                // 16
    tile_shape<2, 1, 4>,                // 32
    tile_shape<4, 1, 4>,                // 64
    tile_shape<8, 1, 4>,                // 128
    tile_shape<16, 1, 4>,               // 256
    tile_shape<32, 1, 4>,               // 512
    tile_shape<32, 2, 1>,               // 1 Ki
    tile_shape<32, 4, 1>,               // 2 Ki
    block_shape<64, 4>,                 // 4 Ki
    block_shape<128, 4>,                // 8 Ki
    block_shape<256, 4>,                // 16 Ki
    block_shape<512, 4>,                // 32 Ki
    block_shape<512, 8>,                // 64 Ki
    block_shape<1024, 8>,               // 128 Ki
    cluster_shape<2, 1024, 8>,          // 256 Ki
    cluster_shape<4, 1024, 8>,          // 512 Ki
    cluster_shape<8, 1024, 8>,          // 1 Mi
    reread_shape<512, 4>>;              // any

// Vectors that cover a row begin anywhere: the fewer they are, the more of them are not filled.
using covering_shapes = shape_list<     // vectors
    tile_shape<1, 3, 2>,                // 3
    tile_shape<1, 5, 1>,                // 5
    tile_shape<1, 7, 1>,                // 7
    tile_shape<1, 9, 1>,                // 9
    tile_shape<2, 5, 1>,                // 10
    tile_shape<2, 7, 1>,                // 14
    tile_shape<4, 5, 1>,                // 20
    tile_shape<4, 7, 1>,                // 28
    tile_shape<4, 9, 1>,                // 36
    tile_shape<8, 7, 1>,                // 56
    tile_shape<8, 9, 1>,                // 72
    tile_shape<16, 9, 1>,               // 144
    block_shape<64, 5>,                 // 320
    block_shape<128, 5>,                // 640
    block_shape<256, 5>,                // 1280
    block_shape<256, 9>,                // 2304
    block_shape<512, 9>,                // 4608
    block_shape<1024, 7>,               // 7 Ki
    cluster_shape<2, 1024, 7>,          // 14 Ki
    cluster_shape<4, 1024, 7>,          // 28 Ki
    cluster_shape<8, 1024, 7>,          // 56 Ki
    reread_shape<512, 4>>;              // any

// Accesses of 4 or fewer bytes: more of them a lane, for as many bytes in flight.
using small_shapes = shape_list<        // accesses
    tile_shape<4, 1, 8>,                // 4
    tile_shape<8, 1, 8>,                // 8
    tile_shape<8, 2, 4>,                // 16
    tile_shape<16, 2, 4>,               // 32
    tile_shape<16, 3, 4>,               // 48
    tile_shape<16, 4, 2>,               // 64
    tile_shape<32, 3, 2>,               // 96
    tile_shape<32, 4, 2>,               // 128
    tile_shape<32, 8, 2>,               // 256
    tile_shape<32, 16, 1>,              // 512
    block_shape<64, 16>,                // 1 Ki
    block_shape<128, 16>,               // 2 Ki
    block_shape<256, 16>,               // 4 Ki
    block_shape<512, 16>,               // 8 Ki
    cluster_shape<2, 512, 16>,          // 16 Ki
    cluster_shape<4, 512, 16>,          // 32 Ki
    cluster_shape<8, 512, 16>,          // 64 Ki
    cluster_shape<16, 512, 16>,         // 128 Ki
    reread_shape<512, 16>>;             // any

constexpr bool holds(long long most_accesses, long long accesses) { return most_accesses < 0 || accesses <= most_accesses; }

// f(Shape{}) with the first shape that holds rows of that many accesses, and in blocks some more.
template <class F, class First, class... Rest>
void with_shape(shape_list<First, Rest...>, long long accesses, F const& f, int more_of_blocks = 0) {
  if constexpr (sizeof...(Rest) == 0) {
    f(First{});
  } else if (holds(First::most_accesses, accesses + (First::lanes > warp_size ? more_of_blocks : 0))) {
    f(First{});
  } else {
    with_shape(shape_list<Rest...>{}, accesses, f, more_of_blocks);
  }
}

}  // namespace detail

// How rows are read and written. vectors: 16 bytes at once, which every row begins and ends with; words: 4 bytes at once (8 of double); covering: the vectors that
// cover a row; values: 16-bit values one by one.
enum class row_access : unsigned char { vectors, words, covering, values };

constexpr char const* name_of(row_access access) {
  switch (access) {
    case row_access::vectors: return "vectors";
    case row_access::words: return "words";
    case row_access::covering: return "covering vectors";
    case row_access::values: return "values";
  }
  return "";
}

namespace detail {

template <class T>
inline constexpr int word_size = sizeof(T) == 2 ? 2 : 1;  // values of T in a word

// How many accesses of n values cover a row, wherever it begins.
constexpr long long most_covering(long long columns, int n) { return (columns + 2 * n - 2) / n; }

// f(the accesses' type, the shape) for rows of `columns` values of In that are read so.
template <class In, class Out, class F>
void with_access(row_access access, long long columns, F const& f) {
  constexpr int v = vector_size<In>, w = word_size<In>, word_bytes = w * static_cast<int>(sizeof(In));
  constexpr bool can_cover = sizeof(In) == sizeof(Out) && sizeof(In) <= 4;
  if (access == row_access::vectors) with_shape(vector_shapes{}, columns / v, [&](auto shape) { f(whole_accesses<vector_bytes>{}, shape); });
  if (access == row_access::words) with_shape(small_shapes{}, columns / w, [&](auto shape) { f(whole_accesses<word_bytes>{}, shape); });
  if constexpr (can_cover)
    if (access == row_access::covering)
      with_shape(covering_shapes{}, most_covering(columns, v), [&](auto shape) { f(covering_vectors{}, shape); }, line_bytes / vector_bytes - 1);
  if constexpr (w > 1)
    if (access == row_access::values) with_shape(small_shapes{}, columns, [&](auto shape) { f(whole_accesses<sizeof(In)>{}, shape); });
}

// How rows can be read, by where the first ones begin (in values, past an address aligned to 16 bytes) and how far the next ones lie from them.
template <class In, class Out>
constexpr row_access access_of(int in_begin, int out_begin, long long columns, long long in_stride, long long out_stride) {
  auto const fits = [&](int values) {
    int const bytes = values * static_cast<int>(sizeof(Out));
    int const stored = (bytes < vector_bytes ? bytes : vector_bytes) / static_cast<int>(sizeof(Out));
    return in_begin % values == 0 && in_stride % values == 0 && columns % values == 0 && out_begin % stored == 0 && out_stride % stored == 0;
  };
  constexpr int v = vector_size<In>;
  bool const in_phase = sizeof(In) == sizeof(Out) && sizeof(In) <= 4 && in_begin == out_begin && (in_stride - out_stride) % v == 0;
  return fits(v) ? row_access::vectors : in_phase ? row_access::covering : fits(word_size<In>) ? row_access::words : row_access::values;
}

}  // namespace detail

// How rows are worked on.
struct row_plan {
  row_way way;
  row_access access;
  int lanes;              // that share a row
  int accesses_per_lane;  // with `reread`, at a time
  int values_per_lane;    // likewise
  int rows_in_flight;     // that a tile reads before it works on the first
  int threads;            // of a block
  long long blocks;

  char const* name() const { return name_of(way); }

  // In one line, for a person.
  std::string text() const {
    std::string const row = way == row_way::tile      ? "a tile of " + std::to_string(lanes) + " lanes holds a row"
                            : way == row_way::block   ? "a block of " + std::to_string(lanes) + " threads holds a row"
                            : way == row_way::cluster ? "a cluster of " + std::to_string(lanes / threads) + " blocks holds a row"
                                                      : "a block of " + std::to_string(lanes) + " threads reads a row twice";
    std::string const at_a_time = way == row_way::reread ? " at a time" : "";
    return std::string(name()) + ": " + row + ", " + std::to_string(values_per_lane) + " values a lane" + at_a_time + " in " + std::to_string(accesses_per_lane) +
           " accesses (" + name_of(access) + "), " + std::to_string(rows_in_flight) + (rows_in_flight == 1 ? " row" : " rows") + " in flight, " +
           std::to_string(blocks) + " blocks of " + std::to_string(threads);
  }
};

namespace detail {

template <class Shape>
constexpr long long blocks_of(long long rows) {
  if constexpr (Shape::way == row_way::cluster) return rows * Shape::blocks;
  else return (rows + Shape::rows_per_block - 1) / Shape::rows_per_block;
}

template <class In, class Out>
row_plan plan_of(row_access access, long long rows, long long columns) {
  row_plan plan{};
  with_access<In, Out>(access, columns, [&]<class Accesses, class Shape>(Accesses, Shape) {
    using row = typename Accesses::template row<In, Shape::lanes, Shape::slots>;
    plan = {Shape::way, access, Shape::lanes, Shape::slots, row::size, Shape::rows_in_flight, Shape::threads, blocks_of<Shape>(rows)};
  });
  return plan;
}

}  // namespace detail

// What softmax, log_softmax and log_sum_exp do with `rows` rows of `columns` values of T that lie one after the other from an aligned address (what cudaMalloc gives),
// and go to memory of the same type that lies likewise.
template <class T>
row_plan plan_for(long long rows, long long columns) {
  return detail::plan_of<T, T>(detail::access_of<T, T>(0, 0, columns, columns, columns), rows, columns);
}

}  // namespace device

MUSTER_END
