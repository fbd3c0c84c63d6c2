// Which kernel takes rows of which length: plan_for, which asks the tables of softmax_shapes.hpp and dense_shapes.hpp.
#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/device/covering_row.hpp>
#include <muster/device/dense_shapes.hpp>
#include <muster/device/grid_plan.hpp>
#include <muster/device/row_access.hpp>
#include <muster/device/softmax_shapes.hpp>
#include <muster/device/vector.hpp>

MUSTER_BEGIN

namespace device {

// How rows are read and written. vectors: 16 bytes at once, which every row begins and ends with; words: 4 bytes at once (8 of double); values: 16-bit values one by one.
// Where input and output begin as far past a multiple of 16 bytes: covering: the aligned vectors that cover a row; edged: those within a row, and the values at its edges;
// shifted: those that lie between two aligned ones, which neighbouring lanes read; staged: shared memory, to which a warp brings several rows by the vectors that cover them;
// dense: the same of rows that lie one after the other, or nearly, and which it works on there by the word.
enum class row_access : unsigned char { vectors, words, values, covering, edged, shifted, staged, dense };

constexpr char const* name_of(row_access access) {
  switch (access) {
    case row_access::vectors: return "vectors";
    case row_access::words: return "words";
    case row_access::values: return "values";
    case row_access::covering: return "covering vectors";
    case row_access::edged: return "vectors and edges";
    case row_access::shifted: return "shifted vectors";
    case row_access::staged: return "values in shared memory";
    case row_access::dense: return "words in shared memory";
  }
  return "";
}

// What there is to choose from: multiprocessors, and whether the caller gives a workspace.
struct row_machine {
  int multiprocessors = 132;
  bool has_workspace = true;
  int shared_bytes = 227 * 1024;  // of a block
};

namespace detail {

template <class T>
inline constexpr int word_size = sizeof(T) == 2 ? 2 : 1;  // values of T in a word
template <class In, class Out>
inline constexpr bool can_be_in_phase = sizeof(In) == sizeof(Out) && sizeof(In) <= 4;

// f(the accesses' type), of accesses that can read any part of a row.
template <class In, class Out, class F>
void with_accesses(row_access access, F const& f) {
  constexpr int word_bytes = word_size<In> * static_cast<int>(sizeof(In));
  if (access == row_access::vectors) f(whole_accesses<vector_bytes>{});
  if (access == row_access::words) f(whole_accesses<word_bytes>{});
  if constexpr (word_size<In> > 1)
    if (access == row_access::values) f(whole_accesses<sizeof(In)>{});
  if constexpr (can_be_in_phase<In, Out>)
    if (access == row_access::covering) f(covering_vectors{});
}

// f(the accesses' type, the shape) for rows of `columns` values of In that are read so.
template <class In, class Out, class F>
void with_access(row_access access, long long rows, long long columns, row_machine const& on, F const& f) {
  constexpr int v = vector_size<In>;
  auto const with = [&]<class Accesses>(Accesses accesses, auto shapes, long long count, int more_of_blocks = 0) {
    with_shape(shapes, count, [&]<class Shape>(Shape shape) {
      if (Shape::way != row_way::reread || !on.has_workspace) f(accesses, shape);
      else if constexpr (!is_vectors<Accesses>) f(accesses, small_parts{});
      else if (short_parts::hold_all(rows, count, on.multiprocessors) || on.shared_bytes < long_parts::needed_shared_bytes) f(accesses, short_parts{});
      else f(accesses, long_parts{});
    }, more_of_blocks);
  };
  if constexpr (can_be_in_phase<In, Out>) {
    bool is_short = false;
    if (access == row_access::dense) {
      using shapes = std::conditional_t<sizeof(In) == 2, dense_shapes, dense_float_shapes>;
      with_shape(shapes{}, most_dense_words(columns, sizeof(In)), [&]<class Shape>(Shape shape) { f(dense_words<Shape::words, Shape::fewest>{}, shape); });
    }
    if constexpr (sizeof(In) == 2) {
      is_short = access == row_access::edged && columns / v <= most_short_edged;
      if (is_short) with_shape(short_edged_shapes{}, columns / v, [&](auto shape) { f(edged_vectors{}, shape); });
    }
    if (access == row_access::edged && !is_short) with(edged_vectors{}, edged_shapes{}, columns / v);
    if (access == row_access::shifted) with_shape(shifted_shapes{}, columns / v, [&](auto shape) { f(shifted_vectors{}, shape); });
    if (access == row_access::staged) with_shape(staged_shapes{}, columns, [&](auto shape) { f(staged_values{}, shape); });
  }
  with_accesses<In, Out>(access, [&]<class Accesses>(Accesses accesses) {
    if constexpr (std::is_same_v<Accesses, whole_accesses<vector_bytes>>) {
      bool const is_few = columns / v > fewest_accesses_of_few &&
                          with_few_shape(few_vector_shapes{}, rows, columns / v, on.multiprocessors, [&](auto shape) { f(accesses, shape); });
      bool const is_wide = !is_few && takes_wide_shape<In>(columns / v);
      if constexpr (sizeof(In) == 4)  // no code of it for others
        if (is_wide) f(accesses, wide_vector_shape{});
      if (!is_few && !is_wide) with(accesses, vector_shapes{}, columns / v);
    } else if constexpr (std::is_same_v<Accesses, covering_vectors>) {
      bool is_short = false;
      if constexpr (sizeof(In) != 2) {
        is_short = most_covering(columns, v) <= most_short_covered;
        if (is_short) with_shape(short_covering_shapes{}, most_covering(columns, v), [&](auto shape) { f(accesses, shape); });
      }
      if (!is_short) with(accesses, covering_shapes{}, most_covering(columns, v), line_bytes / vector_bytes - 1);
    } else {
      with(accesses, small_shapes{}, access == row_access::words ? columns / word_size<In> : columns);
    }
  });
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
  if (fits(v)) return row_access::vectors;
  if (!can_be_in_phase<In, Out> || in_begin != out_begin || (in_stride - out_stride) % v != 0) return fits(word_size<In>) ? row_access::words : row_access::values;
  bool const dense = in_stride == columns && out_stride == columns;
  if (dense && columns % v == 0 && is_shifted(columns / v, sizeof(In))) return row_access::shifted;
  if (dense ? is_dense(columns, sizeof(In)) : is_nearly_dense(columns, in_stride, sizeof(In))) return row_access::dense;
  if (!dense && columns <= most_staged) return row_access::staged;
  return is_edged(columns / v, sizeof(In)) ? row_access::edged : row_access::covering;
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
// and go to memory of the same type that lies likewise, on a GPU that has clusters. Throws std::invalid_argument for a size below 1, for more
// rows than a grid can have or more bytes than an address can count, and for less than one multiprocessor.
template <class T>
row_plan plan_for(long long rows, long long columns, row_machine on = {}) {
  if (rows < 1 || columns < 1) throw std::invalid_argument("muster::device::plan_for: a plan is for rows with columns, not for " + std::to_string(rows) + " x " + std::to_string(columns));
  if (on.multiprocessors < 1) throw std::invalid_argument("muster::device::plan_for: " + std::to_string(on.multiprocessors) + " multiprocessors");
  std::string const matrix = std::to_string(rows) + " x " + std::to_string(columns);
  if (columns > 0x7fffffffffffffff / static_cast<long long>(sizeof(T)) / rows)
    throw std::invalid_argument("muster::device::plan_for: " + matrix + " has more bytes than an address can count");
  row_plan const plan = detail::plan_of<T, T>(detail::access_of<T, T>(0, 0, columns, columns, columns), rows, columns, on);
  if (plan.blocks > 0x7fffffff) throw std::invalid_argument("muster::device::plan_for: the rows of " + matrix + " are more than one grid can have");
  return plan;
}

}  // namespace device

MUSTER_END
