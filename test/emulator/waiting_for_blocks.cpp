// Blocks whose lanes spin until another block has done something: those that may are left alone, and those that nothing ends are reported.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "support.hpp"

using namespace emulator_test;

namespace {

constexpr std::uint64_t few_yields = 1 << 12;
constexpr unsigned blocks = 4;
constexpr emulator::company in_a_cluster{{blocks, 1, 1}, false}, in_a_grid{{0, 0, 0}, true}, plain{};

// The findings of so many blocks of 64 threads.
template <class Kernel>
std::vector<finding> findings_of_blocks(emulator::options options, unsigned count, emulator::company together, Kernel&& kernel) {
  std::vector<finding> findings;
  options.findings = &findings;
  auto* called = &kernel;
  emulator::run(
      options, {count, 1, 1}, {64, 1, 1}, 0, 0, [](void* closure) { (**static_cast<decltype(called)*>(closure))(); }, &called, together);
  return findings;
}

unsigned block() { return emulator::here().block.x; }
bool is_first_thread() { return emulator::here().linear == 0; }

}  // namespace

TEST_CASE("blocks that run at once wait for each other's stores, in whichever direction") {
  for_each_schedule([](emulator::options options) {
    options.most_idle_yields = few_yields;
    for (emulator::company const together : {in_a_cluster, in_a_grid}) {
      auto const chain = [&](bool upwards) {
        int done[blocks] = {};
        return texts_of(findings_of_blocks(options, blocks, together, [&] {
          unsigned const own = upwards ? block() : blocks - 1 - block();
          if (is_first_thread()) {
            while (own > 0 && done[own - 1] == 0) emulator::yield();
            done[own] = 1;
          }
          emulator::sync_block(site::here());
        }));
      };
      CHECK(chain(true) == "");
      CHECK(chain(false) == "");

      unsigned arrived = 0;
      CHECK(texts_of(findings_of_blocks(options, blocks, together, [&] {
              emulator::sync_block(site::here());
              if (is_first_thread()) ++arrived;
              while (arrived < blocks) emulator::yield();
            })) == "");
    }
  });
}

TEST_CASE("the bound on idle yields is of all blocks that run at once: while one gets on, the others wait") {
  for_each_schedule([](emulator::options options) {
    options.most_idle_yields = few_yields;
    int done = 0;
    CHECK(texts_of(findings_of_blocks(options, blocks, in_a_grid, [&] {
            if (block() != 2) {
              while (done == 0) emulator::yield();
              return;
            }
            for (int trip = 0; trip < 100; ++trip) {
              for (int i = 0; i < 20; ++i) emulator::yield();
              emulator::sync_block(site::here());
            }
            done = 1;
          })) == "");
  });
}

TEST_CASE("blocks that run at once and wait for what none does are reported") {
  for_each_schedule([](emulator::options options) {
    options.most_idle_yields = few_yields;
    for (emulator::company const together : {in_a_cluster, in_a_grid}) {
      int never = 0;
      auto const findings = findings_of_blocks(options, blocks, together, [&] {
        emulator::ballot(full, true, site::here());
        while (never == 0) emulator::yield();
      });
      CAPTURE(texts_of(findings));
      CHECK(findings.size() == blocks);
      for (finding const& each : findings) CHECK(each.kind == finding_kind::nobody_can_run);
    }
  });
}

TEST_CASE("a block of a plain grid waits for one that has started, however long that takes") {
  for_each_schedule([](emulator::options options) {
    options.most_idle_yields = few_yields;
    options.threads = 2;
    for (emulator::company const together : {plain, in_a_cluster}) {
      unsigned const of_one = together.cluster.x == 0 ? 1 : blocks;
      std::atomic<int> tickets{0}, spins{0}, done{0};
      auto const give_up_at = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      auto const findings = findings_of_blocks(options, 2 * of_one, together, [&] {
        if (!is_first_thread() || block() % of_one != 0) return;
        if (tickets++ == 0) {
          while (spins < 20 * static_cast<int>(few_yields) && std::chrono::steady_clock::now() < give_up_at) std::this_thread::yield();
          done = 1;
        }
        for (; done == 0; ++spins) emulator::yield();
      });
      CHECK(texts_of(findings) == "");
      CHECK(spins >= 20 * static_cast<int>(few_yields));
    }
  });
}

TEST_CASE("blocks of a plain grid that all wait for what none does are reported, on however many OS threads") {
  for (schedule const order : all_schedules) {
    for (int const threads : {1, 2, 3}) {
      for (emulator::company const together : {plain, in_a_cluster}) {
        emulator::options options;
        options.order = order;
        options.most_idle_yields = few_yields;
        options.threads = threads;
        std::atomic<int> never{0};
        auto const findings = findings_of_blocks(options, 3 * blocks, together, [&] {
          while (never == 0) emulator::yield();
        });
        CAPTURE(texts_of(findings));
        CHECK(findings.size() == 3 * blocks);
        for (finding const& each : findings) CHECK(each.kind == finding_kind::nobody_can_run);
      }
    }
  }
}

TEST_CASE("stacks of one size make room for those of another") {
  int seen = 0;
  for (std::size_t const kib : {128u, 64u, 32u}) {
    emulator::options options;
    options.threads = 1;
    options.stack_bytes = kib * 1024;
    auto count = [&] { ++seen; };
    auto* called = &count;
    emulator::run(
        options, {16, 1, 1}, {1024, 1, 1}, 0, 0, [](void* closure) { (**static_cast<decltype(called)*>(closure))(); }, &called, {{16, 1, 1}, false});
  }
  CHECK(seen == 3 * 16 * 1024);
}
