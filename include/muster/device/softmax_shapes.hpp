// Who works on a row: the shapes of the kernels, and the tables of the rows that each of them takes.
#pragma once

#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/device/grid_plan.hpp>
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
  static constexpr int blocks = 1, lanes = Threads, slots = Slots, rows_in_flight = 1, threads = Threads;
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

// The same two for few rows: Blocks blocks of Threads threads a row, 1 of them or a cluster.
template <int Blocks, int Threads, int Slots>
struct few_rows_shape {
  static constexpr row_way way = Blocks == 1 ? row_way::block : row_way::cluster;
  static constexpr int blocks = Blocks, lanes = Blocks * Threads, slots = Slots, rows_in_flight = 1, threads = Threads;
  static constexpr int rows_per_block = 1;
  static constexpr long long most_accesses = Blocks * Threads * Slots;
};
template <class Shape>
inline constexpr bool is_few_rows_shape = false;
template <int Blocks, int Threads, int Slots>
inline constexpr bool is_few_rows_shape<few_rows_shape<Blocks, Threads, Slots>> = true;

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
  static constexpr int needed_shared_bytes = Threads * InShared * vector_bytes + 1024;  // with what the kernel has besides

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
    tile_shape<1, 1, 1>,                // 16
    tile_shape<2, 1, 2>,                // 32
    tile_shape<4, 1, 2>,                // 64
    tile_shape<8, 1, 2>,                // 128
    tile_shape<16, 1, 2>,               // 256
    tile_shape<32, 1, 2>,               // 512
    tile_shape<32, 2, 1>,               // 1 Ki
    tile_shape<32, 4, 1, 64>,           // 2 Ki
    block_shape<64, 4>,                 // 4 Ki
    block_shape<128, 4>,                // 8 Ki
    block_shape<256, 4>,                // 16 Ki
    block_shape<512, 4>,                // 32 Ki
    block_shape<512, 8>,                // 64 Ki
    block_shape<1024, 8>,               // 128 Ki
    cluster_shape<4, 512, 8>,           // 256 Ki
    cluster_shape<8, 512, 8>,           // 512 Ki
    cluster_shape<12, 512, 11>,         // 1 Mi
    reread_shape<512, 4>>;              // any

// Rows of 30 to 32 KiB of f32: 1,024 threads of two accesses come to .99 of a copy, 512 of four to .97 (softmax_ways_h200.json). Shorter rows leave some of them idle, and the
// exponentials of as many 16-bit values take longer than their reading; f64 was not measured.
using wide_vector_shape = block_shape<1024, 2>;
inline constexpr long long fewest_accesses_of_wide = 1920;
template <class In>
constexpr bool takes_wide_shape(long long accesses) {
  return sizeof(In) == 4 && accesses >= fewest_accesses_of_wide && accesses <= wide_vector_shape::most_accesses;
}

// Where there are fewer rows than would keep a GPU busy so, more threads a row, and more multiprocessors: the first shape that holds a row, and has a multiprocessor for
// each block of all rows.
using few_vector_shapes = shape_list<
    few_rows_shape<1, 128, 2>,               // 4 Ki
    few_rows_shape<8, 64, 1>,                // 8 Ki
    few_rows_shape<8, 128, 1>,               // 16 Ki
    few_rows_shape<1, 256, 2>,               // 8 Ki, of more rows
    few_rows_shape<1, 512, 2>,               // 16 Ki, likewise
    few_rows_shape<8, 128, 2>,               // 32 Ki
    few_rows_shape<8, 128, 4>,               // 64 Ki
    few_rows_shape<8, 256, 4>,               // 128 Ki
    cluster_shape<16, 512, 4>>;         // 512 Ki
inline constexpr long long fewest_accesses_of_few = 128;  // 2 Ki: shorter ones are a warp's

// Vectors that cover a row begin anywhere: the fewer they are, the more of them are not filled. The shortest, not of 16-bit values, which are dense then:
using short_covering_shapes = shape_list<  // vectors
    tile_shape<1, 3, 2>,                   // 3
    tile_shape<1, 5, 1>,                   // 5
    tile_shape<1, 7, 1>,                   // 7
    tile_shape<1, 9, 1, 32>,               // 9
    tile_shape<2, 5, 1>>;                  // 10
inline constexpr int most_short_covered = 10;
using covering_shapes = shape_list<     // vectors
    tile_shape<2, 7, 1>,                // 14
    tile_shape<4, 5, 1>,                // 20
    tile_shape<4, 7, 1>,                // 28
    tile_shape<4, 9, 1>,                // 36
    tile_shape<8, 7, 1>,                // 56
    tile_shape<8, 9, 1>,                // 72
    tile_shape<16, 7, 1, 64>,           // 112
    tile_shape<16, 9, 1, 64>,           // 144
    block_shape<64, 5>,                 // 320
    block_shape<128, 5>,                // 640
    block_shape<256, 5>,                // 1280
    block_shape<256, 9>,                // 2304
    block_shape<512, 9>,                // 4608
    cluster_shape<2, 512, 7>,           // 7 Ki
    cluster_shape<4, 512, 7>>;          // 14 Ki
inline constexpr long long most_covered = 14 * 1024 - 9;  // whole vectors in a row

// Where a row is just short of a power of two of vectors, those that cover it would be just too many: here are the aligned ones within it, and its edges by themselves.
using edged_shapes = shape_list<        // vectors
    block_shape<512, 8>,                // 4 Ki
    cluster_shape<2, 512, 8>,           // 8 Ki
    cluster_shape<4, 512, 8>,           // 16 Ki
    cluster_shape<8, 512, 8>,           // 32 Ki
    cluster_shape<16, 512, 8>,          // 64 Ki
    reread_shape<512, 4>>;              // any
// Of 16-bit values also where each slot counts; the same of floats would be slower than the vectors that cover them.
using short_edged_shapes = shape_list<  // vectors
    block_shape<64, 3>>;                // 192
inline constexpr long long fewest_short_edged = 144, most_short_edged = 192;
constexpr bool is_edged(long long vectors, int value_bytes) {  // whole ones in a row
  long long room = 4096;
  while (room < vectors) room *= 2;
  return vectors > most_covered || vectors > room - room / 8 || (value_bytes == 2 && vectors >= fewest_short_edged && vectors <= most_short_edged);
}

// Dense rows of one vector a lane, all of them as far past an aligned one.
using shifted_shapes = shape_list<      // vectors
    tile_shape<1, 1, 6, 256>,           // 1
    tile_shape<2, 1, 6, 256>,           // 2
    tile_shape<4, 1, 6, 256>,           // 4
    tile_shape<8, 1, 6, 256>,           // 8
    tile_shape<16, 1, 6, 256>>;         // 16
// Those of 16-bit values; of floats only where the vectors that cover a row fill no shape well.
constexpr bool is_shifted(long long vectors, int value_bytes) {
  bool const is_power = vectors <= 16 && (vectors & (vectors - 1)) == 0;
  return is_power && (value_bytes == 2 || (vectors != 4 && vectors != 16));
}

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

// f(Shape{}) with the first shape that holds few rows of so many accesses at once; false if none does.
template <class F, class... Shapes>
bool with_few_shape(shape_list<Shapes...>, long long rows, long long accesses, int multiprocessors, F const& f) {
  return ((accesses <= Shapes::most_accesses && rows <= multiprocessors / Shapes::blocks && (f(Shapes{}), true)) || ...);
}

// f(Shape{}) with the first shape that holds rows of that many accesses, and in blocks some more; or else with the last.
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
}  // namespace device

MUSTER_END
