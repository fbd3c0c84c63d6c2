// Row softmax in three launches, a maximum, a sum of exponentials and the results, each of which reads the rows: what a grid that meets in one launch is compared with.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

#include <muster/algorithm/reduce.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/warp.hpp>
#include <muster/core/with.hpp>
#include <muster/device/grid_plan.hpp>
#include <muster/device/lane_row.hpp>
#include <muster/device/lane_values.hpp>
#include <muster/device/matrix_checks.hpp>
#include <muster/device/numbers.hpp>
#include <muster/device/row_access.hpp>
#include <muster/device/row_functors.hpp>
#include <muster/device/softmax.hpp>
#include <muster/device/softmax_launch.hpp>
#include <muster/device/softmax_plan.hpp>
#include <muster/device/workspace.hpp>
#include <muster/launch.hpp>

MUSTER_BEGIN

namespace device {
namespace detail {

// A block of Threads threads takes a piece of a row, Slots accesses a thread. Step 0 writes the piece's maximum, step 1 the sum of its exponentials relative to the row's
// maximum, step 2 the results.
template <class Result, class A, int Step, class Access>
struct softmax_step {
  static constexpr int threads = 256, warps = threads / warp_size, slots = 4;
  struct shared {
    part_of_sum<A> of_warp[warps];
  };
  template <class In>
  using piece_row = typename Access::template row<In, threads, slots>;

  // Piece p of row r has parts[r * pieces + p].
  template <class In, class Out, class Load, class Store>
  MUSTER_FN void operator()(auto b, shared& s, matrix<In const> in, matrix<Out> out, Load load, Store store, part_of_sum<A>* parts, long long pieces) const {
    using exponent_type = exponent_of<In, Load>;
    long long const own = block_rank(b).value(), row = own / pieces, begin = own % pieces * piece_row<In>::most_values, left = in.columns - begin;
    part_of_sum<A>* const of_row = parts + row * pieces;
    auto const warp = this_warp(b);
    piece_row<In> mine;
    int const count = static_cast<int>(left < piece_row<In>::most_values ? left : piece_row<In>::most_values);
    span_of_row<In const> const span{in.data + row * in.stride + begin, count, row, begin};
    mine.read(span, in, thread_rank(b));
    mine.settle();
    lane_values<Result, piece_row<In>, In, Load> values(mine, span, load);
    part_of_sum<A> part{numeric<A>::lowest(), A(0)};
    if constexpr (Step == 0) {
      part.maximum = reduce(warp, values.maximum(), maximum{}).value();
    } else {
      part.maximum = numeric<A>::lowest();
      for (long long i = thread_rank(warp); i < pieces; i += warp_size) part.maximum = maximum{}(part.maximum, of_row[i].maximum);
      part.maximum = reduce(warp, part.maximum, maximum{}).value();
      exponent_type const exponent(reference_of<Result::replaced>(part.maximum));
      part.sum = values.sum(exponent);
      if constexpr (Step == 1) part.sum = reduce(warp, part.sum, plus{}).value();
      if constexpr (Step == 2) {
        A sum = A(0);
        for (long long i = thread_rank(warp); i < pieces; i += warp_size) sum += of_row[i].sum;
        row_sum<exponent_type> const of_all{exponent, reduce(warp, sum, plus{}).value()};
        values.write(of_all, A(1), span_of_row<Out>{out.data + row * out.stride + begin, 0, row, begin}, store);
      }
    }
    if constexpr (Step < 2) {
      if (thread_rank(warp) == 0) s.of_warp[warp_rank(b)] = part;
      sync(b);
      auto* const to = &of_row[own % pieces];
      only_warp<0>(b, with(s, to), [](auto warp, auto& s, auto* to) {
        int const lane = thread_rank(warp);
        A const greatest = lane < warps ? s.of_warp[lane].maximum : numeric<A>::lowest(), sum = lane < warps ? s.of_warp[lane].sum : A(0);
        A const result = Step == 0 ? reduce(warp, greatest, maximum{}).value() : reduce(warp, sum, plus{}).value();
        if (lane == 0) (Step == 0 ? to->maximum : to->sum) = result;
      });
    }
  }
};

template <class In, class Access>
long long pieces_of(long long columns) {
  using kernel = softmax_step<softmax_result<empty_row::nan>, computed<In>, 0, Access>;
  return quotient_up(columns, kernel::template piece_row<In>::most_values);
}

template <class Result, class Access, class Target, class In, class Out, class Load, class Store>
void launch_steps(char const* what, Target const& target, void* memory, matrix<In const> const& in, matrix<Out> const& out, Load const& load, Store const& store) {
  using A = computed<In>;
  long long const pieces = pieces_of<In, Access>(in.columns);
  if (pieces > 0x7fffffff / in.rows) refuse(what, std::to_string(in.rows) + " rows of " + std::to_string(in.columns) + " are more pieces than one grid can have");
  grid_dims const grid(static_cast<unsigned>(in.rows * pieces));
  auto* const parts = static_cast<part_of_sum<A>*>(memory);
  block_dims<softmax_step<Result, A, 0, Access>::threads> const threads;
  launch(target, grid, threads, softmax_step<Result, A, 0, Access>{}, in, out, load, store, parts, pieces);
  launch(target, grid, threads, softmax_step<Result, A, 1, Access>{}, in, out, load, store, parts, pieces);
  launch(target, grid, threads, softmax_step<Result, A, 2, Access>{}, in, out, load, store, parts, pieces);
}

}  // namespace detail

// How many bytes of workspace softmax_in_three_launches needs for rows of In: 8 or 16 for each thousand or so of values.
template <class In>
std::size_t three_launch_workspace_bytes(long long rows, long long columns) {
  long long const most = detail::pieces_of<In, detail::whole_accesses<sizeof(In)>>(columns);
  return static_cast<std::size_t>(rows * most) * sizeof(detail::part_of_sum<detail::computed<In>>);
}

// What softmax does, plainly: three launches, each of which reads every value. `memory` is a workspace of three_launch_workspace_bytes<In>(rows, columns), or `stream_ordered`.
template <empty_row Empty = empty_row::nan, class Target, detail::any_workspace Workspace, class In, class Out, class Load = as_is, class Store = as_is>
  requires(!std::is_same_v<Workspace, detail::no_workspace>)
void softmax_in_three_launches(Target const& target, Workspace memory, In const* in, Out* out, long long rows, long long columns, row_strides strides = {}, Load load = {},
                               Store store = {}) {
  using result = detail::softmax_result<Empty>;
  static_assert(detail::row_type<In>::value && detail::row_type<Out>::value);
  static_assert(detail::row_functors_map_values<Load, Store, detail::computed<In>>::value && detail::results_can_be_written<Out>::value);
  constexpr auto what = "muster::device::softmax_in_three_launches";
  auto const values = detail::rows_of(in, rows, columns, strides.in);
  auto const to = detail::rows_of(out, rows, columns, strides.out);
  detail::check_matrix(what, "input", values);
  detail::check_matrix(what, "output", to);
  if (rows == 0 || columns == 0) return;
  detail::check_overlap(what, values, to);
  detail::with_workspace(what, target, memory, three_launch_workspace_bytes<In>(rows, columns), [&](void* parts) {
    row_access const access = detail::access_of(values, to);
    // Accesses that are for some lengths of rows alone cover pieces of rows.
    bool const covers = access == row_access::edged || access == row_access::shifted || access == row_access::staged || access == row_access::dense;
    detail::with_accesses<In, Out>(covers ? row_access::covering : access, [&]<class Access>(Access) {
      detail::launch_steps<result, Access>(what, target, parts, values, to, load, store);
    });
  });
}

}  // namespace device

MUSTER_END
