// Softmax of one type at every size at which the kernel changes, in every way in which rows can lie.
#pragma once

#include "device/support.hpp"

namespace device_tests {

// `most` values at once; longer rows come alone, up to `longest`.
template <operation What, class In, class Out = In>
void compare_every_size(long long most, long long longest) {
  namespace detail = device::detail;
  constexpr int v = detail::vector_size<In>;
  for_each_target([&](char const* name, auto target) {
    std::string found;
    auto const compare_at = [&](content filled, place const& p) {
      if (p.columns < 1 || p.columns > longest || !found.empty()) return;
      found = compare<What, In, Out>(target, filled, p);
    };
    auto const rows = [&](long long columns, long long per_block) { return rows_for(columns, per_block, most); };
    at_switches(detail::vector_shapes{}, v, 0, [&](long long n, long long per_block) {
      compare_at(content::random, {rows(n, per_block), n});
#if defined(__CUDACC__)
      compare_at(content::random, {17, n});  // too many rows to give each more multiprocessors than its length asks for
#endif
      compare_at(content::wide, {rows(n, per_block), n, v, 2 * v, v, 3 * v});
      for (long long const odd : {n - 1, n + 1}) compare_at(content::random, {rows(odd, per_block), odd});
    });
    auto const compare_wide = [&](long long rows) {
      for (long long const n : {detail::fewest_accesses_of_wide - 1, detail::fewest_accesses_of_wide}) compare_at(content::random, {rows, n * v});
    };
    if (sizeof(In) == 4) compare_wide(5);  // more than the emulator's multiprocessors
#if defined(__CUDACC__)
    if (sizeof(In) == 4) compare_wide(133);
    at_switches(detail::few_vector_shapes{}, v, 0, [&](long long n, long long) {
      for (long long const rows : {1, 2, 132})
        if (n <= 20000 || rows == 2) compare_at(content::random, {rows, n});
      compare_at(content::wide, {16, n, v, 2 * v, v, 3 * v});
    });
#endif
    for (long long const n : {129, 256, 257, 300, 512, 513, 1024}) {  // of a few rows, also where there are few multiprocessors, with something between and behind them
      compare_at(content::wide, {4, n * v, v, 2 * v, v, 3 * v});
      for (long long const odd : {n * v - 1, n * v + 1}) compare_at(content::random, {3, odd});
    }
    auto const compare_covered = [&](long long n, long long per_block) {
      for (int const offset : {0, 1, v - 1}) compare_at(content::random, {rows(n, per_block), n, offset, offset});
      compare_at(content::wide, {rows(n, per_block), n, 1, 1, 1, 1});
    };
    if (sizeof(In) != 2) at_switches(detail::short_covering_shapes{}, v, v - 1, compare_covered);
    for (long long const less : {v - 1, 8 * v - 1})  // tiles begin at a vector, blocks at a line
      at_switches(detail::covering_shapes{}, v, less, compare_covered);
    if (sizeof(In) == 2) {
      at_switches(detail::short_edged_shapes{}, v, 0, compare_covered);
      at_switches(detail::dense_shapes{}, 2, 2, [&](long long n, long long per_block) {
        for (int offset = 0; offset < v; ++offset) compare_at(content::wide, {rows(n, per_block), n + (offset / 2 + offset) % 2, offset, offset});
      });
      for (long long const n : {-1, 0, 1})  // the shortest rows of a warp's dense shape; more than a block takes
        for (int const offset : {0, 1, v - 1}) compare_at(content::wide, {7, detail::fewest_columns_of_warps + n, offset, offset});
    }
    at_switches(detail::edged_shapes{}, v, 0, [&](long long n, long long per_block) {
      for (int const offset : {1, v - 1}) compare_at(content::random, {rows(n, per_block), n, offset, offset});
      compare_at(content::wide, {rows(n - 1, per_block), n - 1, 1, 1, 1, 1});
    });
    at_switches(detail::shifted_shapes{}, v, 0, [&](long long n, long long per_block) {
      for (int offset = 1; offset < v; ++offset) compare_at(content::wide, {rows(n, per_block), n, offset, offset});
      compare_at(content::random, {1, n, 1, 1});
    });
    at_switches(detail::staged_shapes{}, 1, 0, [&](long long n, long long per_block) {
      for (int const offset : {0, 1, v - 1}) compare_at(content::wide, {rows(n, per_block), n, offset, offset, v + 1, 1});
    });
    for (long long const n : {1, 5, 8, 9, 16, 18, 20, 31, 37})  // nearly dense, in several blocks
      for (int const more : {0, v}) compare_at(content::wide, {700, n, n % v, n % v, 1 + n / 3 % 2, 1 + n / 3 % 2 + more});
    // Out of phase: in words, and 16-bit values one by one.
    constexpr int w = detail::word_size<In>;
    at_switches(detail::small_shapes{}, w, 0, [&](long long n, long long per_block) {
      compare_at(content::random, {rows(n, per_block), n, 0, w});
      compare_at(content::masked, {rows(n, per_block), n, w, 0, 0, w});
    });
    if (w > 1) at_switches(detail::small_shapes{}, 1, 0, [&](long long n, long long per_block) { compare_at(content::random, {rows(n, per_block), n, 1, 0}); });
    for (long long n = 1; n <= 40; ++n) {
      compare_at(content::random, {70, n, 0, 0, n % 3, n % 2});
      for (int const pad : {0, 1}) compare_at(content::random, {70, n, n % v, n % v, pad, pad});
    }
    INFO(name);
    CHECK(found == "");
  });
}

// Special values, in each of the ways to hold a row.
template <operation What, class In, class Out = In, muster::empty_row Empty = muster::empty_row::nan>
void compare_every_content() {
  constexpr int v = device::detail::vector_size<In>;
  for_each_target([&](char const* name, auto target) {
    std::string found;
    auto const compare_at = [&](content filled, place const& p) {
      if (found.empty()) found = compare<What, In, Out, Empty>(target, filled, p);
    };
    for (content const filled : all_contents) {
      for (long long const n : {4ll * v, 40ll * v, 128ll * v, 500ll * v, 20000ll * v}) {
        compare_at(filled, {n > 10000 ? 4 : 9, n});
        compare_at(filled, {n > 10000 ? 4 : 9, n - 1, 1, 1});
        compare_at(filled, {n > 10000 ? 4 : 9, n - 1, 1, 0});
      }
      for (long long const n : {200ll * v, 500ll * v, 1000ll * v}) compare_at(filled, {4, n});  // few, and each kind of special row among them
      for (int const pad : {0, 1}) compare_at(filled, {90, 4ll * v, 1, 1, pad, pad});
      if (std::is_same_v<In, Out> && What != operation::log_sum_exp && filled == content::random) {
        for (long long const n : {1ll * v, 4ll * v - 1, 4ll * v}) {  // in several blocks, which share vectors
          place p{700, n, 1, 1};
          p.in_place = true;
          compare_at(filled, p);
          p.in_pad = p.out_pad = 1;
          compare_at(filled, p);
        }
      }
      if (std::is_same_v<In, Out> && What != operation::log_sum_exp) {
        for (long long const n : {3ll, 4ll * v, 41ll * v + 1, 500ll * v}) {
          place p{9, n};
          p.in_place = true;
          compare_at(filled, p);
          p.in_offset = p.out_offset = 1;
          compare_at(filled, p);
          p.in_pad = p.out_pad = 1;
          compare_at(filled, p);
        }
      }
    }
    INFO(name);
    CHECK(found == "");
  });
}

}  // namespace device_tests
