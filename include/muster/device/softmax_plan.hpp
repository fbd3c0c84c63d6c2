// Which kernel takes rows of which length: one table of shapes, and plan_for, which asks it.
#pragma once

#include <stdexcept>
#include <string>

#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/device/grid_plan.hpp>
#include <muster/device/row_access.hpp>
#include <muster/device/vector.hpp>

MUSTER_BEGIN

namespace device {

// Who works on a row. tile: up to 32 lanes, the row in their registers; block: a whole block, the row in its registers; cluster: several blocks of one
// cluster, the row in their registers; grid: all blocks that run at once, in teams, the row in their registers and shared memory as far as it fits, with a workspace;
// reread: a block that reads the row twice, because it is longer than registers hold and there is no workspace.
enum class row_way : unsigned char { tile, block, cluster, grid, reread };

constexpr char const* name_of(row_way way) {
  switch (way) {
    case row_way::tile: return "tile";
    case row_way::block: return "block";
    case row_way::cluster: return "cluster";
    case row_way::grid: return "grid";
    case row_way::reread: return "reread";
  }
  return "";
}

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

// Teams of blocks of Threads threads a row. A block holds Slots accesses a thread, of which InShared lie in shared memory, and takes what its part of the row has beyond
// that StreamedSlots accesses a thread at a time, twice. PerMultiprocessor blocks fit.
template <int Threads, int Slots, int InShared, int StreamedSlots, int PerMultiprocessor>
struct grid_shape {
  static constexpr row_way way = row_way::grid;
  static constexpr int lanes = Threads, slots = Slots, rows_in_flight = 1, threads = Threads;
  static constexpr int in_shared = InShared, streamed_slots = StreamedSlots, per_multiprocessor = PerMultiprocessor;
  static constexpr long long most_accesses = -1;

  // Whether all rows are held at once.
  static constexpr bool hold_all(long long rows, long long accesses, int multiprocessors) {
    long long const blocks = static_cast<long long>(multiprocessors) * per_multiprocessor;
    return rows <= blocks && quotient_up(accesses, blocks / rows) <= Threads * Slots - part_unit_bytes / vector_bytes;
  }
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
    cluster_shape<4, 512, 8>,           // 256 Ki
    cluster_shape<8, 512, 8>,           // 512 Ki
    cluster_shape<16, 512, 8>,          // 1 Mi
    reread_shape<512, 4>>;              // any

// Where there are fewer rows than would keep a GPU busy so, more multiprocessors a row.
using few_vector_shapes = shape_list<
    cluster_shape<8, 512, 2>,           // 128 Ki
    cluster_shape<16, 512, 4>>;         // 512 Ki
inline constexpr long long fewest_accesses_of_few = 1024;  // 16 Ki: shorter ones are as fast in one block

// Vectors that cover a row begin anywhere: the fewer they are, the more of them are not filled.
using covering_shapes = shape_list<     // vectors
    tile_shape<1, 3, 2>,                // 3
    tile_shape<1, 5, 1>,                // 5
    tile_shape<1, 7, 1>,                // 7
    tile_shape<1, 9, 1, 32>,            // 9
    tile_shape<2, 5, 1>,                // 10
    tile_shape<2, 7, 1>,                // 14
    tile_shape<4, 5, 1>,                // 20
    tile_shape<4, 7, 1>,                // 28
    tile_shape<4, 9, 1>,                // 36
    tile_shape<8, 7, 1>,                // 56
    tile_shape<8, 9, 1>,                // 72
    tile_shape<16, 9, 1, 64>,           // 144
    block_shape<64, 5>,                 // 320
    block_shape<128, 5>,                // 640
    block_shape<256, 5>,                // 1280
    block_shape<256, 9>,                // 2304
    block_shape<512, 9>,                // 4608
    cluster_shape<2, 512, 7>,           // 7 Ki
    cluster_shape<4, 512, 7>,           // 14 Ki
    cluster_shape<8, 512, 7>,           // 28 Ki
    cluster_shape<16, 512, 7>,          // 56 Ki
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

// With a workspace, rows that are longer than all these: parts that registers hold, with room for a second block beside them; longer ones; accesses of 4 or fewer bytes.
using short_parts = grid_shape<512, 4, 0, 4, 2>;
using long_parts = grid_shape<1024, 21, 13, 8, 1>;
using small_parts = grid_shape<512, 16, 0, 16, 2>;

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

// What there is to choose from: multiprocessors, and whether the caller gives a workspace.
struct row_machine {
  int multiprocessors = 132;
  bool has_workspace = true;
};

namespace detail {

template <class T>
inline constexpr int word_size = sizeof(T) == 2 ? 2 : 1;  // values of T in a word

// How many accesses of n values cover a row, wherever it begins.
constexpr long long most_covering(long long columns, int n) { return (columns + 2 * n - 2) / n; }

// f(the accesses' type, the shape) for rows of `columns` values of In that are read so.
template <class In, class Out, class F>
void with_access(row_access access, long long rows, long long columns, row_machine const& on, F const& f) {
  constexpr int v = vector_size<In>, w = word_size<In>, word_bytes = w * static_cast<int>(sizeof(In));
  constexpr bool can_cover = sizeof(In) == sizeof(Out) && sizeof(In) <= 4;
  auto const with = [&]<class Accesses>(Accesses accesses, auto shapes, long long count, int more_of_blocks) {
    with_shape(shapes, count, [&]<class Shape>(Shape shape) {
      if (Shape::way != row_way::reread || !on.has_workspace) f(accesses, shape);
      else if constexpr (!is_vectors<Accesses>) f(accesses, small_parts{});
      else if (short_parts::hold_all(rows, count, on.multiprocessors)) f(accesses, short_parts{});
      else f(accesses, long_parts{});
    }, more_of_blocks);
  };
  if (access == row_access::vectors) {
    bool is_few = false;
    if (columns / v > fewest_accesses_of_few)
      with_shape(few_vector_shapes{}, columns / v, [&](auto shape) {
        is_few = columns / v <= shape.most_accesses && rows <= on.multiprocessors / shape.blocks;
        if (is_few) f(whole_accesses<vector_bytes>{}, shape);
      });
    if (!is_few) with(whole_accesses<vector_bytes>{}, vector_shapes{}, columns / v, 0);
  }
  if (access == row_access::words) with(whole_accesses<word_bytes>{}, small_shapes{}, columns / w, 0);
  if constexpr (can_cover)
    if (access == row_access::covering) with(covering_vectors{}, covering_shapes{}, most_covering(columns, v), line_bytes / vector_bytes - 1);
  if constexpr (w > 1)
    if (access == row_access::values) with(whole_accesses<sizeof(In)>{}, small_shapes{}, columns, 0);
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
  int rows_in_flight;     // that a tile reads before it works on the first; of a grid, rows that it works on at once
  int threads;            // of a block
  long long blocks;

  char const* name() const { return name_of(way); }

  // In one line, for a person.
  std::string text() const {
    auto const counted = [](long long n, char const* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); };
    std::string row = way == row_way::tile      ? "a tile of " + counted(lanes, "lane") + " holds a row"
                      : way == row_way::block   ? "a block of " + counted(lanes, "thread") + " holds a row"
                      : way == row_way::cluster ? "a cluster of " + counted(lanes / threads, "block") + " holds a row"
                      : way == row_way::grid    ? "a team of " + counted(lanes / threads, "block") + " shares a row"
                                                : "a block of " + counted(lanes, "thread") + " reads a row twice";
    std::string const kept = way == row_way::grid ? "up to " : "", at_a_time = way == row_way::reread ? " at a time" : "";
    return std::string(name()) + ": " + row + ", " + kept + counted(values_per_lane, "value") + " a lane" + at_a_time + " in " + std::to_string(accesses_per_lane) +
           (accesses_per_lane == 1 ? " access (" : " accesses (") + name_of(access) + "), " + counted(rows_in_flight, "row") + " in flight, " + counted(blocks, "block") + " of " + std::to_string(threads);
  }
};

namespace detail {

template <class Shape>
constexpr long long blocks_of(long long rows) {
  if constexpr (Shape::way == row_way::cluster) return rows * Shape::blocks;
  else return (rows + Shape::rows_per_block - 1) / Shape::rows_per_block;
}

template <class In, class Out>
row_plan plan_of(row_access access, long long rows, long long columns, row_machine const& on) {
  row_plan plan{};
  with_access<In, Out>(access, rows, columns, on, [&]<class Accesses, class Shape>(Accesses, Shape) {
    using row = typename Accesses::template row<In, Shape::lanes, Shape::slots>;
    plan = {Shape::way, access, Shape::lanes, Shape::slots, row::size, Shape::rows_in_flight, Shape::threads, 0};
    if constexpr (Shape::way == row_way::grid) {
      auto const division = divided(rows, columns, static_cast<long long>(on.multiprocessors) * Shape::per_multiprocessor, row::most_values, sizeof(In));
      plan.lanes = division.blocks_of_team * Shape::threads;
      plan.rows_in_flight = division.teams;
      plan.blocks = static_cast<long long>(division.teams) * division.blocks_of_team;
    } else {
      plan.blocks = blocks_of<Shape>(rows);
    }
  });
  return plan;
}

}  // namespace detail

// What softmax, log_softmax and log_sum_exp do with `rows` rows of `columns` values of T that lie one after the other from an aligned address (what cudaMalloc gives),
// and go to memory of the same type that lies likewise, on a GPU that has clusters. Throws std::invalid_argument for a size below 1 and for less than one multiprocessor.
template <class T>
row_plan plan_for(long long rows, long long columns, row_machine on = {}) {
  if (rows < 1 || columns < 1) throw std::invalid_argument("muster::device::plan_for: a plan is for rows with columns, not for " + std::to_string(rows) + " x " + std::to_string(columns));
  if (on.multiprocessors < 1) throw std::invalid_argument("muster::device::plan_for: " + std::to_string(on.multiprocessors) + " multiprocessors");
  return detail::plan_of<T, T>(detail::access_of<T, T>(0, 0, columns, columns, columns), rows, columns, on);
}

}  // namespace device

MUSTER_END
