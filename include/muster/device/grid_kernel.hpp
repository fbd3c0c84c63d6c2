// Row softmax by a whole grid in one launch: teams of blocks that run at once share a row each, hold as much of it as they can, tell each other their maxima and sums
// through memory, and wait for each other once a row.
#pragma once

#include <muster/algorithm/reduce.hpp>
#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/grid.hpp>
#include <muster/core/operators.hpp>
#include <muster/core/warp.hpp>
#include <muster/core/with.hpp>
#include <muster/device/grid_plan.hpp>
#include <muster/device/lane_row.hpp>
#include <muster/device/lane_values.hpp>
#include <muster/device/numbers.hpp>
#include <muster/device/softmax_kernels.hpp>

MUSTER_BEGIN

namespace device::detail {

// A lane's maximum and sum of a piece of a row, together with what it had before.
template <class Result, class Exponent, class A, class Values>
MUSTER_FN part_of_sum<A> grown_by(part_of_sum<A> before, Values& values) {
  part_of_sum<A> grown{maximum{}(before.maximum, values.maximum()), A(0)};
  auto const exponent = grown.template exponent<Result::replaced, Exponent>();
  grown.sum = before.sum * before.template weight<Result::replaced>(exponent) + values.sum(exponent);
  return grown;
}

// A block holds the last accesses of its part, Slots a thread, of which InShared lie in shared memory; what comes before is read twice, StreamedSlots accesses at a time.
template <class Result, class A, int Threads, int Slots, int InShared, int StreamedSlots, class Access>
struct softmax_by_grid {
  static constexpr int warps = Threads / warp_size;
  struct shared {
    alignas(16) part_of_sum<A> of_warp[warps];
  };
  template <class In>
  using held_row = typename Access::template row<In, Threads, Slots, InShared, Threads>;
  template <class In>
  using streamed_row = typename Access::template row<In, Threads, StreamedSlots>;

  // `parts` has two values for each block.
  template <class In, class Out, class Load, class Store>
  MUSTER_FN void operator()(auto b, shared& s, matrix<In const> in, matrix<Out> out, Load load, Store store, part_of_sum<A>* parts, grid_division division) const {
    constexpr auto replaced = Result::replaced;
    using exponent_type = exponent_of<In, Load>;
    auto const all_blocks = this_grid(b);
    auto const warp = this_warp(b);
    int const thread = thread_rank(b), own = static_cast<int>(block_rank(b).value());
    int const team = own / division.blocks_of_team, member = own % division.blocks_of_team;
    unsigned parity = 0;
    for (long long first = 0; first < in.rows; first += division.teams, parity ^= 1) {
      long long const row = first + team, begin = member * division.part, left = in.columns - begin;
      bool const exists = team < division.teams && row < in.rows && left > 0;
      long long const count = !exists ? 0 : left < division.part ? left : division.part;
      long long const held = count < held_row<In>::most_values ? count : held_row<In>::most_values, streamed = count - held;
      auto const piece_at = [&](long long at, long long end) {  // of the part, from `at` on, as much as a piece has
        long long const size = end - at < streamed_row<In>::most_values ? end - at : streamed_row<In>::most_values;
        return span_of_row<In const>{in.data + row * in.stride + begin + at, static_cast<int>(size), row, begin + at};
      };
      auto const span_to = [&](long long at) { return span_of_row<Out>{out.data + row * out.stride + begin + at, 0, row, begin + at}; };

      held_row<In> mine;
      hold_in_shared(mine, b);
      span_of_row<In const> const kept{in.data + (exists ? row * in.stride + begin + streamed : 0), static_cast<int>(held), row, begin + streamed};
      mine.template read<held_row<In>::in_registers, Slots>(kept, in, thread);
      part_of_sum<A> before{numeric<A>::lowest(), A(0)};
      for (long long at = 0; at < streamed; at += streamed_row<In>::most_values) {
        streamed_row<In> piece;
        auto const span = piece_at(at, streamed);
        piece.read(span, in, thread);
        piece.settle();
        lane_values<log_sum_exp_result, streamed_row<In>, In, Load> values(piece, span, load);
        before = grown_by<Result, exponent_type>(before, values);
      }
      mine.template read<0, held_row<In>::in_registers>(kept, in, thread);
      mine.settle();
      lane_values<Result, held_row<In>, In, Load> values(mine, kept, load);

      // Each warp folds what it has against its own maximum, the block what its warps have, the team what its blocks have.
      part_of_sum<A> part;
      part.maximum = reduce(warp, maximum{}(before.maximum, values.maximum()), maximum{}).value();
      auto const own_exponent = part.template exponent<replaced, exponent_type>();
      part.sum = reduce(warp, before.sum * before.template weight<replaced>(own_exponent) + values.sum(own_exponent), plus{}).value();
      if (thread_rank(warp) == 0) s.of_warp[warp_rank(b)] = part;
      sync(b);
      part_of_sum<A>* const of_round = parts + parity * num_blocks(b).value();
      only_warp<0>(b, with(s, of_round, own), [](auto warp, auto& s, auto* of_round, int own) {  // captures nothing: strict scopes hold for the library too
        auto const of_block = united<replaced_in_part<replaced>, exponent_type>(warp, s.of_warp, warps);
        if (thread_rank(warp) == 0) of_round[own] = of_block;
      });
      sync(all_blocks);
      if (!exists) continue;
      auto const of_row = united<replaced, exponent_type>(warp, of_round + team * division.blocks_of_team, division.blocks_of_team);
      row_sum<exponent_type> const sum{exponent_type(reference_of<replaced>(of_row.maximum)), of_row.sum};
      if constexpr (Result::writes_values) {
        values.write(sum, part.template weight<replaced>(sum.exponent), span_to(streamed), store);
        for (long long end = streamed; end > 0;) {  // from the end, where L2 still has it
          long long const at = (end - 1) / streamed_row<In>::most_values * streamed_row<In>::most_values;
          streamed_row<In> piece;
          auto const span = piece_at(at, end);
          piece.read(span, in, thread);
          piece.settle();
          lane_values<Result, streamed_row<In>, In, Load> again(piece, span, load);
          if constexpr (Result::keeps_exponentials) again.sum(sum.exponent);
          again.write(sum, A(1), span_to(at), store);
          end = at;
        }
      } else {
        if (member == 0 && thread == 0) out.data[row * out.stride] = static_cast<Out>(store(sum.logarithm(), row, 0));
      }
    }
  }
};

}  // namespace device::detail

MUSTER_END
