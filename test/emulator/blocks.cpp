// Blocks, grids and runs: coordinates, memory, determinism, options.
#include <algorithm>
#include <array>
#include <atomic>
#include <set>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support.hpp"

using namespace emulator_test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("every thread of every block runs once and knows its place") {
  extent const grid{3, 2, 2}, block{5, 4, 3};
  std::set<std::array<unsigned, 6>> seen;
  emulator::options options;
  options.threads = 1;
  run(options, grid, block, [&] {
    auto const& me = emulator::here();
    CHECK(me.block_dim == block);
    CHECK(me.grid_dim == grid);
    CHECK(me.linear == static_cast<int>(me.thread.x + 5 * (me.thread.y + 4 * me.thread.z)));
    CHECK(seen.insert({me.thread.x, me.thread.y, me.thread.z, me.block.x, me.block.y, me.block.z}).second);
  });
  CHECK(seen.size() == 12 * 60);
  CHECK(std::all_of(seen.begin(), seen.end(), [](auto const& each) {
    return each[0] < 5 && each[1] < 4 && each[2] < 3 && each[3] < 3 && each[4] < 2 && each[5] < 2;
  }));
}

TEST_CASE("lanes follow the linear thread number in 2-D and 3-D blocks") {
  for_each_schedule([](emulator::options options) {
    std::array<std::uint32_t, 64> received{};
    auto const findings = findings_of(options, {8, 4, 2}, [&] {
      auto const me = emulator::here();
      received[static_cast<std::size_t>(me.linear)] = shuffle_idx(full, static_cast<std::uint32_t>(me.linear), 31);
    });
    CHECK(texts_of(findings) == "");
    for (std::size_t thread = 0; thread < 64; ++thread) CHECK(received[thread] == (thread < 32 ? 31u : 63u));
  });
}

TEST_CASE("the last warp of a block of 33 has one lane") {
  for_each_schedule([](emulator::options options) {
    std::array<int, 33> lanes{};
    std::array<std::uint32_t, 33> ballots{};
    auto const findings = findings_of(options, {33, 1, 1}, [&] {
      auto const me = static_cast<std::size_t>(emulator::here().linear);
      lanes[me] = emulator::lanes_in_warp();
      ballots[me] = emulator::ballot(muster::lane_set::range(0, emulator::lanes_in_warp()).bits, true, site::here());
      emulator::sync_block(site::here());
    });
    CHECK(texts_of(findings) == "");
    for (std::size_t thread = 0; thread < 33; ++thread) {
      CHECK(lanes[thread] == (thread < 32 ? 32 : 1));
      CHECK(ballots[thread] == (thread < 32 ? full : 1u));
    }
  });
}

TEST_CASE("shared memory is the block's own, aligned, and poisoned by the seed") {
  std::array<std::array<unsigned char, 100>, 4> contents{};
  auto const look = [&] {
    auto const& me = emulator::here();
    if (me.linear != 0) return;
    auto* const shared = static_cast<unsigned char*>(emulator::shared_memory());
    auto* const dynamic_shared = static_cast<unsigned char*>(emulator::dynamic_shared_memory());
    CHECK(reinterpret_cast<std::uintptr_t>(shared) % 128 == 0);
    CHECK(reinterpret_cast<std::uintptr_t>(dynamic_shared) % 128 == 0);
    CHECK(emulator::dynamic_shared_bytes() == 40);
    std::copy_n(shared, 60, contents[me.block.x].begin());
    std::copy_n(dynamic_shared, 40, contents[me.block.x].begin() + 60);
    std::fill_n(shared, 60, static_cast<unsigned char>(0));
    std::fill_n(dynamic_shared, 40, static_cast<unsigned char>(0));
  };
  emulator::options options;
  options.threads = 1;
  run(options, {4, 1, 1}, {32, 1, 1}, look, 60, 40);
  auto const first = contents;
  for (auto const& each : first) CHECK(std::count(each.begin(), each.end(), 0) < 20);
  CHECK(first[0] != first[1]);
  run(options, {4, 1, 1}, {32, 1, 1}, look, 60, 40);
  CHECK(contents == first);
  options.seed = 2;
  run(options, {4, 1, 1}, {32, 1, 1}, look, 60, 40);
  CHECK(contents != first);
}

TEST_CASE("poison is never zero as a whole") {
  emulator::options options;
  for (options.seed = 1; options.seed < 20; ++options.seed) {
    run(options, {1, 1, 1}, {64, 1, 1}, [] {
      for (std::size_t bytes = 1; bytes <= 20; ++bytes) {
        std::array<unsigned char, 20> object{};
        emulator::poison(object.data(), bytes);
        CHECK(std::any_of(object.begin(), object.end(), [](unsigned char each) { return each != 0; }));
        CHECK(std::all_of(object.begin() + static_cast<std::ptrdiff_t>(bytes), object.end(), [](unsigned char each) { return each == 0; }));
      }
    });
  }
}

namespace {

// The order in which the lanes of each block got on, and what they received from where nothing was.
struct traces {
  std::vector<std::vector<int>> order = std::vector<std::vector<int>>(12);
  std::vector<std::vector<std::uint32_t>> poison = std::vector<std::vector<std::uint32_t>>(12);
  std::vector<std::string> texts;
  friend bool operator==(traces const&, traces const&) = default;
};

traces traces_of(schedule how, std::uint64_t seed, int threads) {
  traces all;
  std::vector<finding> findings;
  emulator::options options;
  options.order = how;
  options.seed = seed;
  options.threads = threads;
  options.findings = &findings;
  run(options, {12, 1, 1}, {96, 1, 1}, [&] {
    auto const& me = emulator::here();
    auto& order = all.order[me.block.x];
    for (int i = 0; i < 3; ++i) {
      order.push_back(me.linear);
      emulator::ballot(full, true, site::here());
    }
    if (lane() < 4) all.poison[me.block.x].push_back(shuffle_idx(0xfu, 1, 9));
    if (lane() == 7) return;
    emulator::sync_warp(full, site::here());
    order.push_back(me.linear);
  });
  for (finding const& each : findings) all.texts.push_back(each.text);
  return all;
}

}  // namespace

TEST_CASE("a seed fixes schedule, poison and reports, whatever the number of OS threads") {
  for (schedule order : all_schedules) {
    traces const once = traces_of(order, 5, 1);
    CHECK(once == traces_of(order, 5, 1));
    CHECK(once == traces_of(order, 5, 2));
    CHECK(once == traces_of(order, 5, 7));
    CHECK(once == traces_of(order, 5, 0));
    CHECK(once.poison != traces_of(order, 6, 1).poison);
  }
  CHECK(traces_of(schedule::random, 5, 1).order != traces_of(schedule::random, 6, 1).order);
  CHECK(traces_of(schedule::random, 5, 1).order[0] != traces_of(schedule::random, 5, 1).order[1]);
}

TEST_CASE("the ordered schedules keep their order") {
  auto const order_of = [](schedule how) {
    std::vector<int> order;
    emulator::options options;
    options.order = how;
    auto const findings = findings_of(options, {40, 1, 1}, [&] {
      std::uint32_t const mine = 1u << lane();
      for (int i = 0; i < 2; ++i) {
        order.push_back(emulator::here().linear);
        emulator::sync_warp(mine, site::here());
      }
    });
    CHECK(texts_of(findings) == "");
    return order;
  };
  std::vector<int> ascending, descending, lockstep;
  for (int i = 0; i < 80; ++i) {
    ascending.push_back(i / 2);
    descending.push_back(39 - i / 2);
    lockstep.push_back(i % 40);
  }
  CHECK(order_of(schedule::ascending) == ascending);
  CHECK(order_of(schedule::descending) == descending);
  CHECK(order_of(schedule::lockstep) == lockstep);
}

TEST_CASE("a loop that waits for another lane's store ends, when it yields") {
  for_each_schedule([](emulator::options options) {
    int flag = 0, seen = 0;
    auto const findings = findings_of(options, {64, 1, 1}, [&] {
      if (emulator::here().linear == 40) flag = 1;
      while (flag == 0) emulator::yield();
      ++seen;
    });
    CHECK(texts_of(findings) == "");
    CHECK(seen == 64);
  });
}

TEST_CASE("a kernel may run another kernel") {
  std::atomic<int> inner{0};
  emulator::options outer;
  outer.threads = 1;
  run(outer, {2, 1, 1}, {33, 1, 1}, [&] {
    emulator::options options;
    options.threads = 1;
    options.stack_bytes = 64 * 1024;
    int const me = emulator::here().linear;
    run(options, {1, 1, 1}, {2, 1, 1}, [&] {
      emulator::ballot(3, true, site::here());
      ++inner;
    });
    CHECK(emulator::here().linear == me);
    emulator::sync_block(site::here());
  });
  CHECK(inner == 2 * 33 * 2);
}

TEST_CASE("bad options are refused with the reason") {
  auto const nothing = [] {};
  auto const refusal = [&](emulator::options options, extent grid, extent block) -> std::string {
    try {
      run(options, grid, block, nothing);
    } catch (std::invalid_argument const& error) {
      return error.what();
    }
    return "";
  };
  CHECK_THAT(refusal({}, {0, 1, 1}, {1, 1, 1}), ContainsSubstring("grid is empty"));
  CHECK_THAT(refusal({}, {1, 1, 1}, {32, 0, 1}), ContainsSubstring("block is empty"));
  CHECK_THAT(refusal({}, {1, 1, 1}, {32, 33, 1}), ContainsSubstring("at most 1024"));
  CHECK_THAT(refusal({}, {1, 1, 1}, {1u << 31, 2, 1}), ContainsSubstring("at most 1024"));
  CHECK_THAT(refusal({}, {1, 1, 1}, {1, 1, 65}), ContainsSubstring("64"));
  CHECK_THAT(refusal({}, {1, 65536, 1}, {1, 1, 1}), ContainsSubstring("65535"));
  emulator::options options;
  options.threads = -1;
  CHECK_THAT(refusal(options, {1, 1, 1}, {1, 1, 1}), ContainsSubstring("threads"));
  options = {};
  options.stack_bytes = 100;
  CHECK_THAT(refusal(options, {1, 1, 1}, {1, 1, 1}), ContainsSubstring("stack_bytes"));
  CHECK_THROWS_AS(emulator::run({}, {1, 1, 1}, {1, 1, 1}, 0, 0, nullptr, nullptr), std::invalid_argument);
}

TEST_CASE("a warp operation outside a kernel says so") {
  CHECK_THROWS_AS(emulator::here(), std::logic_error);
  CHECK_THROWS_AS(emulator::ballot(full, true, site::here()), std::logic_error);
}

TEST_CASE("the largest block and small stacks run") {
  emulator::options options;
  options.stack_bytes = 16 * 1024;
  std::atomic<std::uint32_t> total{0};
  run(options, {3, 1, 1}, {1024, 1, 1}, [&] {
    std::uint32_t const sum = emulator::redux(muster::redux_operation::add, full, 1, site::here());
    emulator::sync_block(site::here());
    if (lane() == 0) total += sum;
  });
  CHECK(total == 3 * 1024);
}
