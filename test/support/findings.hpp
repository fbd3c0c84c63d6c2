// What the emulator finds in a kernel of one block, and what a test expects it to find.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include <muster/buffer.hpp>
#include <muster/core/block.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/site.hpp>
#include <muster/launch.hpp>

namespace test {

inline constexpr muster::emulator::schedule all_schedules[] = {muster::emulator::schedule::random, muster::emulator::schedule::ascending,
                                                               muster::emulator::schedule::descending, muster::emulator::schedule::lockstep};

// Runs a kernel, which takes 64 integers to write to, on one block.
template <class Kernel, class Dims>
std::vector<muster::emulator::finding> findings_of(Kernel const& kernel, Dims dims, muster::emulator::schedule order, std::uint64_t seed) {
  std::vector<muster::emulator::finding> found;
  muster::emulator::options options;
  options.seed = seed;
  options.order = order;
  options.findings = &found;
  options.threads = 1;
  muster::buffer<int> out(muster::on_emulator(), 64);
  muster::launch(muster::on_emulator(options), muster::grid_dims(1), dims, kernel, out.data());
  return found;
}

// Every run finds this kind at Kernel::line of the caller's file, and besides it only notes. `lanes`: what the finding names, or with `other`, which of two sides it names
// depends on the order.
template <class Kernel, class Dims = muster::block_dims<32>>
void expect_finding(muster::emulator::finding_kind kind, muster::lane_set lanes, char const* words, muster::lane_set other = {}, Dims dims = {},
                    muster::site caller = muster::site::here()) {
  std::string const path = caller.file;
  for (auto const order : all_schedules) {
    for (std::uint64_t seed = 40; seed < (order == muster::emulator::schedule::random ? 50u : 41u); ++seed) {
      auto const found = findings_of(Kernel{}, dims, order, seed);
      INFO("schedule " << static_cast<int>(order) << ", seed " << seed << ", looked for " << muster::emulator::name_of(kind));
      bool seen = false;
      for (auto const& one : found) {
        INFO(one.text);
        CHECK((one.is_note || one.kind == kind));
        if (one.kind != kind || one.where.line != Kernel::line) continue;
        seen = true;
        CHECK((one.lanes == lanes || (!other.empty() && one.lanes == other)));
        CHECK(std::string(one.where.file).ends_with(path.substr(path.rfind('/') + 1)));
        CHECK(one.text.find(words) != std::string::npos);
        CHECK(one.text.find("seed=" + std::to_string(seed)) != std::string::npos);
      }
      CHECK(seen);
    }
  }
}

template <class Kernel, class Dims = muster::block_dims<32>>
void expect_quiet(Dims dims = {}) {
  for (auto const order : all_schedules) {
    for (std::uint64_t seed = 1; seed <= (order == muster::emulator::schedule::random ? 50u : 1u); ++seed) {
      for (auto const& one : findings_of(Kernel{}, dims, order, seed)) {
        INFO(one.text);
        CHECK(false);
      }
    }
  }
}

}  // namespace test
