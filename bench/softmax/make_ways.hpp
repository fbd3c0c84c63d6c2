// Makes the ways of one type: included by one source for each, so that they compile side by side.
#pragma once

#include <muster/device/softmax.hpp>

#include "softmax/row_calls.hpp"
#include "softmax/ways.hpp"

namespace bench {

namespace detail = muster::device::detail;
using detail::block_shape, detail::cluster_shape, detail::reread_shape, detail::tile_shape;
using muster::device::row_access;

// The tables' shapes and neighbours of theirs: what they were tuned with.
template <class... A, class... B>
detail::shape_list<A..., B...> joined(detail::shape_list<A...>, detail::shape_list<B...>);

using more_vector_shapes = detail::shape_list<tile_shape<4, 2, 2>, block_shape<128, 8>, block_shape<1024, 2>, cluster_shape<2, 1024, 8>>;
using more_covering_shapes = detail::shape_list<tile_shape<1, 4, 1>, tile_shape<2, 9, 1>, tile_shape<32, 9, 1>,
                                                block_shape<64, 3>, block_shape<64, 9>, block_shape<128, 9>, block_shape<512, 5>>;
using more_small_shapes = detail::shape_list<tile_shape<32, 2, 4>>;

template <class T>
muster::device::matrix<T> rows_of(void const* data, row_matrices const& m) {
  return {static_cast<T*>(const_cast<void*>(data)), m.rows, m.columns, m.stride};
}

template <class T, class Accesses, class Shape>
void add_shape(std::vector<softmax_way>& ways, long long accesses, char const* access) {
  if (std::is_same_v<Accesses, detail::covering_vectors> && Shape::lanes > muster::warp_size) accesses += detail::line_bytes / detail::vector_bytes - 1;
  if (std::is_same_v<Accesses, detail::shifted_vectors> && Shape::most_accesses != accesses) return;  // they hold rows of that length alone
  // Shapes far too large for the row are not worth the time.
  if (!detail::holds(Shape::most_accesses, accesses) || Shape::most_accesses > 2 * accesses + 2) return;
  if (Shape::most_accesses < 0 && accesses < 4096) return;
  if constexpr (requires { Shape::fewest; })
    if (accesses <= Shape::fewest) return;
  using muster::device::row_way;
  std::string name = std::string("muster:") + access + ":" + muster::device::name_of(Shape::way) + ":";
  if (Shape::way == row_way::cluster) name += std::to_string(Shape::lanes / Shape::threads) + "*";
  name += std::to_string(Shape::way == row_way::cluster ? Shape::threads : Shape::lanes) + "x" + std::to_string(Shape::slots);
  if (Shape::way == row_way::tile) name += "x" + std::to_string(Shape::rows_in_flight);
  ways.push_back({name, [](row_matrices const& m) {
    using result = detail::softmax_result<muster::empty_row::nan>;
    detail::launch_shape<result, Shape, Accesses>(muster::on_device(), rows_of<T const>(m.in, m), rows_of<T>(m.out, m), muster::device::as_is{}, muster::device::as_is{});
  }});
}

template <class T, class Accesses, class... Shapes>
void add_shapes(detail::shape_list<Shapes...>, std::vector<softmax_way>& ways, long long accesses, char const* access) {
  (add_shape<T, Accesses, Shapes>(ways, accesses, access), ...);
}

template <class T, class... Shapes>
void add_dense_shapes(detail::shape_list<Shapes...>, std::vector<softmax_way>& ways, long long words) {
  (add_shape<T, detail::dense_words<Shapes::words, Shapes::fewest>, Shapes>(ways, words, "d"), ...);
}

// Each access that the rows allow, not only the one that the table chooses.
template <class T>
void add_all_shapes(std::vector<softmax_way>& ways, row_matrices const& m) {
  constexpr int v = detail::vector_size<T>, w = detail::word_size<T>;
  auto const chosen = detail::access_of<T, T>(rows_of<T const>(m.in, m), rows_of<T>(m.out, m));
  if (chosen == row_access::vectors) {
    add_shapes<T, detail::whole_accesses<16>>(decltype(joined(detail::vector_shapes{}, more_vector_shapes{})){}, ways, m.columns / v, "v");
    return;
  }
  if (chosen == row_access::edged) add_shapes<T, detail::edged_vectors>(detail::edged_shapes{}, ways, m.columns / v, "e");
  if constexpr (sizeof(T) == 4) {
    if (chosen == row_access::dense) add_dense_shapes<T>(detail::dense_float_shapes{}, ways, m.stride);
  } else {
    if (chosen == row_access::edged) add_shapes<T, detail::edged_vectors>(detail::short_edged_shapes{}, ways, m.columns / v, "e");
    if (chosen == row_access::dense) add_dense_shapes<T>(detail::dense_shapes{}, ways, detail::most_dense_words(m.stride, 2));
  }
  if (chosen == row_access::shifted) add_shapes<T, detail::shifted_vectors>(detail::shifted_shapes{}, ways, m.columns / v, "h");
  if (chosen == row_access::staged) add_shapes<T, detail::staged_values>(detail::staged_shapes{}, ways, m.columns, "s");
  add_shapes<T, detail::covering_vectors>(detail::short_covering_shapes{}, ways, detail::most_covering(m.columns, v), "c");
  add_shapes<T, detail::covering_vectors>(decltype(joined(detail::covering_shapes{}, more_covering_shapes{})){}, ways, detail::most_covering(m.columns, v), "c");
  if (m.columns % w == 0 && m.stride % w == 0 && reinterpret_cast<std::uintptr_t>(m.in) % 4 == 0)
    add_shapes<T, detail::whole_accesses<w * static_cast<int>(sizeof(T))>>(decltype(joined(detail::small_shapes{}, more_small_shapes{})){}, ways, m.columns / w, "w");
}

// With a workspace for rows that the whole grid shares; others take none.
template <class T>
void row_softmax(row_call const& c) {
  muster::device::softmax(muster::on_device(c.stream), muster::device::stream_ordered, static_cast<T const*>(c.in), static_cast<T*>(c.out), c.rows, c.columns, {c.in_stride, c.out_stride});
}

template <class T, bool AllShapes>
std::vector<softmax_way> softmax_ways(row_matrices const& m, bool all) {
  std::vector<softmax_way> ways;
  ways.push_back({"muster", [](row_matrices const& m) { row_softmax<T>({m.in, m.out, m.rows, m.columns, m.stride, m.stride}); }});
  if constexpr (AllShapes)
    if (all) add_all_shapes<T>(ways, m);
  return ways;
}

}  // namespace bench
