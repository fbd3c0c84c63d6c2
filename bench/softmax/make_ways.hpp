#pragma once

#include <muster/device/softmax.hpp>

#include "softmax/ways.hpp"

namespace bench {

namespace detail = muster::device::detail;
using detail::block_shape, detail::reread_shape, detail::tile_shape;

// Neighbours of the table's shapes: what it was tuned with.
using candidate_shapes = detail::shape_list<
    tile_shape<1, 1, 4>, tile_shape<2, 1, 2>, tile_shape<2, 1, 4>, tile_shape<4, 1, 2>, tile_shape<4, 1, 4>, tile_shape<8, 1, 2>, tile_shape<8, 1, 4>, tile_shape<16, 1, 2>,
    tile_shape<16, 1, 4>, tile_shape<32, 1, 2>, tile_shape<32, 1, 4>, tile_shape<4, 2, 2>, tile_shape<4, 4, 1>, tile_shape<8, 2, 2>, tile_shape<16, 2, 2>, tile_shape<32, 2, 1>,
    tile_shape<32, 2, 2>, tile_shape<32, 3, 1>, tile_shape<32, 4, 1>, tile_shape<32, 4, 2>, tile_shape<32, 8, 1>, block_shape<64, 4>, block_shape<64, 8>, block_shape<128, 2>,
    block_shape<128, 4>, block_shape<128, 8>, block_shape<256, 2>, block_shape<256, 4>, block_shape<256, 8>, block_shape<512, 4>, block_shape<512, 8>, block_shape<1024, 2>,
    block_shape<1024, 4>, block_shape<1024, 8>, reread_shape<512, 4>, reread_shape<1024, 4>>;

template <class T>
muster::device::matrix<T> rows_of(void const* data, row_matrices const& m) {
  return {static_cast<T*>(const_cast<void*>(data)), m.rows, m.columns, m.stride};
}

template <class T, class Shape>
void add_shape(std::vector<softmax_way>& ways, row_matrices const& m, detail::alignment lies) {
  bool const aligned = lies == detail::alignment::aligned;
  long long const vectors = detail::vectors_of_row<T>(m.columns, aligned);
  // Shapes far too large for the row are not worth the time.
  if (!detail::holds(Shape::most_vectors, vectors) || Shape::most_vectors > 3 * vectors) return;
  if (Shape::most_vectors < 0 && vectors < 4096) return;
  std::string const name = std::string("muster:") + muster::device::name_of(Shape::way) + ":" + std::to_string(Shape::lanes) + "x" + std::to_string(Shape::slots) +
                           (Shape::way == muster::device::row_way::tile ? "x" + std::to_string(Shape::rows_in_flight) : "");
  ways.push_back({name, [aligned, lies](row_matrices const& m) {
    using result = detail::softmax_result<muster::empty_row::nan>;
    auto const in = rows_of<T const>(m.in, m);
    auto const out = rows_of<T>(m.out, m);
    if (aligned) detail::launch_shape<result, Shape, true>(muster::on_device(), in, out, true, muster::device::as_is{}, muster::device::as_is{});
    else detail::launch_shape<result, Shape, false>(muster::on_device(), in, out, lies == detail::alignment::in_phase, muster::device::as_is{}, muster::device::as_is{});
  }});
}

template <class T, class... Shapes>
void add_shapes(detail::shape_list<Shapes...>, std::vector<softmax_way>& ways, row_matrices const& m, detail::alignment lies) {
  (add_shape<T, Shapes>(ways, m, lies), ...);
}

template <class T>
std::vector<softmax_way> softmax_ways(row_matrices const& m, bool all) {
  std::vector<softmax_way> ways;
  ways.push_back({"muster", [](row_matrices const& m) {
    muster::device::softmax(muster::on_device(), static_cast<T const*>(m.in), static_cast<T*>(m.out), m.rows, m.columns, {m.stride, m.stride});
  }});
  if (all) add_shapes<T>(candidate_shapes{}, ways, m, detail::alignment_of<T, T>(rows_of<T const>(m.in, m), rows_of<T>(m.out, m)));
  return ways;
}

}  // namespace bench
