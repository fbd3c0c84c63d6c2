// copy_async: what arrives, from every alignment and of every size; several copies under way at once; and what the emulator says of waits that do not wait enough.
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <muster/muster.hpp>

#include "support/machines.hpp"
#include "support/values.hpp"

namespace copies {

using namespace test;
using Catch::Matchers::ContainsSubstring;

template <int Bytes, int Alignment>
struct alignas(Alignment) bytes_of {
  unsigned char byte[Bytes];
};

constexpr int most = 200, threads = 96;

// The block copies `count` values that begin `skipped` values after an address of 16 bytes, to memory that begins as many before or after one; each tile of 8 the same to its own part.
template <class T>
struct copied {
  struct shared {
    alignas(16) T of_block[most + 16];
    alignas(16) T of_tile[threads / 8][24];
  };
  MUSTER_FN void operator()(auto block, shared& s, T const* in, T* out, T* out_of_tiles, int count, int from, int to) const {
    int const thread = muster::thread_rank(block);
    auto const whole = muster::copy_async(block, s.of_block + to, in + from, count);
    auto const tile = muster::tiled_partition<8>(muster::this_warp(block));
    int const own = thread / 8, few = count < 16 ? count : 16;
    auto const part = muster::copy_async(tile, s.of_tile[own] + to, in + from + own, few);
    part.wait(tile);
    for (int i = muster::thread_rank(tile); i < few; i += 8) out_of_tiles[own * 16 + i] = s.of_tile[own][to + i];
    whole.wait(block);
    for (int i = thread; i < count; i += threads) out[i] = s.of_block[to + count - 1 - i];  // what another thread copied
  }
};

template <class T>
void check_copies(machine const& on) {
  std::vector<T> in(most + 32);
  auto* const raw = reinterpret_cast<unsigned char*>(in.data());
  for (std::size_t i = 0; i < in.size() * sizeof(T); ++i) raw[i] = static_cast<unsigned char>(scrambled(i));
  auto const from_memory = on.memory(in);
  T untouched;
  std::memset(&untouched, 0x5a, sizeof untouched);
  for (int const count : {0, 1, 7, 16, 199})
    for (int const from : {0, 1, 2})
      for (int const to : {0, 1, 4}) {
        INFO("values of " << sizeof(T) << " bytes, " << count << " from " << from << " to " << to);
        auto out = on.memory(std::vector<T>(most, untouched));
        auto of_tiles = on.memory(std::vector<T>(threads / 8 * 16, untouched));
        on.run(muster::grid_dims(1), muster::block_dims<threads>{}, copied<T>{}, from_memory.data(), out.data(), of_tiles.data(), count, from, to);
        auto const same = [](T const& a, T const& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; };
        int wrong = 0;
        auto const got = out.to_vector(), got_of_tiles = of_tiles.to_vector();
        for (int i = 0; i < most; ++i) wrong += !same(got[static_cast<std::size_t>(i)], i < count ? in[static_cast<std::size_t>(from + count - 1 - i)] : untouched);
        for (int i = 0; i < threads / 8 * 16; ++i)
          wrong += !same(got_of_tiles[static_cast<std::size_t>(i)], i % 16 < count ? in[static_cast<std::size_t>(from + i / 16 + i % 16)] : untouched);
        CHECK(wrong == 0);
      }
}

TEST_CASE("copies arrive whole, whatever the size and alignment of their values") {
  for_each_machine([](machine const& on) {
    INFO(on.name());
    check_copies<bytes_of<1, 1>>(on);
    check_copies<bytes_of<6, 2>>(on);
    check_copies<float>(on);
    check_copies<bytes_of<12, 4>>(on);
    check_copies<double>(on);
    check_copies<bytes_of<48, 16>>(on);
  });
}

// Sums of tiles of a long row, each copied while the one before it is added up.
struct pipeline {
  static constexpr int tile_size = 256;
  struct shared {
    alignas(16) int buffer[2][tile_size];
  };
  MUSTER_FN void operator()(auto block, shared& s, int const* in, int* out, int tiles) const {
    int const thread = muster::thread_rank(block);
    int sum = 0;
    auto const begin = [&](int i) { return muster::copy_async(block, s.buffer[i % 2], in + i * tile_size, tile_size); };
    auto const add = [&](int i) {
      for (int k = thread; k < tile_size; k += threads) sum += s.buffer[i % 2][tile_size - 1 - k];
      muster::sync(block);  // before the buffer is filled anew
    };
    for (int i = 0; i + 1 < tiles; i += 2) {
      auto const first = begin(i), second = begin(i + 1);
      first.template wait<1>(block);
      add(i);
      second.wait(block);
      add(i + 1);
    }
    out[thread] = sum;
  }
};
TEST_CASE("one copy is waited for while a later one is under way") {
  constexpr int tiles = 10;
  std::vector<int> in(tiles * pipeline::tile_size), expected(threads, 0);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(scrambled(i) % 1000);
  for (int i = 0; i < tiles; ++i)
    for (int k = 0; k < pipeline::tile_size; ++k) expected[static_cast<std::size_t>(k % threads)] += in[static_cast<std::size_t>(i * pipeline::tile_size + pipeline::tile_size - 1 - k)];
  for_each_machine([&](machine const& on) {
    INFO(on.name());
    auto const from = on.memory(in);
    auto out = on.memory(std::vector<int>(threads, -1));
    on.run(muster::grid_dims(1), muster::block_dims<threads>{}, pipeline{}, from.data(), out.data(), tiles);
    CHECK(out.to_vector() == expected);
  });
}

// --- on the emulator alone ---

enum class mistake {
  reads_early, waits_for_too_few, copies_elsewhere, copies_nothing_from_null, copies_within_shared_memory, counts_below_zero, each_its_own, each_its_own_in_tiles, never_waits, in_a_scope
};

template <mistake Mistake>
struct wrong {
  struct shared {
    int values[64];
  };
  MUSTER_FN void operator()(auto block, shared& s, int const* in, int* out) const {
    int own[64];
    int const thread = muster::thread_rank(block);
    auto const begin = [&](int* to, int const* from, int count) { return muster::copy_async(block, to, from, count); };
    if constexpr (Mistake == mistake::copies_elsewhere) begin(own, in, 32).wait(block);
    if constexpr (Mistake == mistake::copies_nothing_from_null) begin(s.values, nullptr, 32).wait(block);
    if constexpr (Mistake == mistake::copies_within_shared_memory) begin(s.values, s.values + 32, 32).wait(block);
    if constexpr (Mistake == mistake::counts_below_zero) begin(s.values, in, -1).wait(block);
    if constexpr (Mistake == mistake::each_its_own) begin(s.values + thread, in + thread, 1).wait(block);
    if constexpr (Mistake == mistake::each_its_own_in_tiles) {
      auto const warp = muster::this_warp(block);
      muster::copy_async(warp, s.values + thread, in + thread, 1).wait(warp);
    }
    if constexpr (Mistake == mistake::never_waits) [[maybe_unused]] auto const pending = begin(s.values, in, 32);
    if constexpr (Mistake == mistake::in_a_scope)
      muster::only<muster::lane_set{1}>(muster::this_warp(block), [&](auto) { [[maybe_unused]] auto const pending = begin(s.values, in, 32); });
    if constexpr (Mistake == mistake::waits_for_too_few) begin(s.values, in, 32).template wait<1>(block);
    if constexpr (Mistake == mistake::reads_early) {
      auto const pending = begin(s.values, in, 32);
      out[thread] = s.values[thread];
      pending.wait(block);
    }
  }
};

template <mistake Mistake>
std::vector<int> run_wrong() {
  std::vector<int> in(32, 7), out(32);
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<32>{}, wrong<Mistake>{}, static_cast<int const*>(in.data()), out.data());
  return out;
}

template <mistake Mistake>
void expect_refusal(char const* text) {
  CHECK_THROWS_WITH(run_wrong<Mistake>(), ContainsSubstring(text) && ContainsSubstring("copies.cpp:"));
}

TEST_CASE("the emulator: what is read before the wait is poison") {
  int arrived = 0;
  for (int each : run_wrong<mistake::reads_early>()) arrived += each == 7;
  CHECK(arrived < 32);  // not 0: others may have waited already
}
TEST_CASE("the emulator reports copies that cannot be, that differ between members, and that nobody or not everybody waits for") {
  expect_refusal<mistake::waits_for_too_few>("has begun only 0 copies after this one");
  expect_refusal<mistake::copies_elsewhere>("the 128 bytes from `to` do not lie in the block's shared memory");
  expect_refusal<mistake::copies_nothing_from_null>("`from` is a null pointer");
  expect_refusal<mistake::copies_within_shared_memory>("`from` lies in shared memory");
  expect_refusal<mistake::counts_below_zero>("count is -1");
  expect_refusal<mistake::each_its_own>("(different_operation)");
  expect_refusal<mistake::each_its_own_in_tiles>("(not_uniform)");
  expect_refusal<mistake::never_waits>("(copy_not_awaited)");
  expect_refusal<mistake::in_a_scope>("(outside_scope)");
}

}  // namespace copies
