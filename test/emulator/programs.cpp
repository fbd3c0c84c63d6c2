// Random well-formed programs: each step divides every warp anew into disjoint sets, and each set executes one collective. The emulator, under any
// schedule, must agree with a model that works out a step for all lanes at once.
#include <algorithm>
#include <array>
#include <random>

#include <catch2/catch_test_macros.hpp>

#include "support.hpp"

using namespace emulator_test;

namespace {

enum class action : int { shuffle_word, shuffle_large, ballot, any, all, match_any, match_all, redux_add, redux_xor, redux_max, sync, count };

// One thread's part in one step.
struct part {
  std::uint32_t mask = 0;  // 0: it has no part in this step
  action what = action::sync;
  int source = 0;  // a member
};

struct program {
  int threads = 0;
  std::vector<std::vector<part>> steps;     // by step and thread
  std::vector<bool> block_barrier_after;    // by step
};

struct large {
  std::uint32_t word[5];
};

large spread(std::uint32_t value) { return {{value, value + 1, value * 3, ~value, value ^ 0x5555u}}; }
std::uint32_t gathered(large const& from) { return from.word[0] ^ from.word[1] ^ from.word[2] ^ from.word[3] ^ from.word[4]; }

std::uint32_t start_value(int thread) { return static_cast<std::uint32_t>(thread) * 2654435761u >> 20; }
std::uint32_t mixed(std::uint32_t value, std::uint32_t result) { return value * 31u % 4099u + result; }

program random_program(std::mt19937& chance) {
  auto const below = [&](int bound) { return static_cast<int>(chance() % static_cast<unsigned>(bound)); };
  program made;
  made.threads = std::array{1, 7, 32, 33, 64, 100, 256}[static_cast<std::size_t>(below(7))];
  int const steps = 1 + below(12);
  for (int step = 0; step < steps; ++step) {
    std::vector<part> parts(static_cast<std::size_t>(made.threads));
    for (int base = 0; base < made.threads; base += 32) {
      int const lanes = std::min(32, made.threads - base);
      int const sets = 1 + below(6);
      bool const some_rest = below(4) == 0;
      std::array<std::uint32_t, 7> members{};
      for (int lane = 0; lane < lanes; ++lane) members[static_cast<std::size_t>(below(sets + (some_rest ? 1 : 0)))] |= 1u << lane;
      for (int set = 0; set < sets; ++set) {
        std::uint32_t const mask = members[static_cast<std::size_t>(set)];
        auto const what = static_cast<action>(below(static_cast<int>(action::count)));
        int const members_count = muster::lane_set{mask}.count();
        for (int lane = 0; lane < lanes; ++lane) {
          if ((mask >> lane & 1u) == 0) continue;
          parts[static_cast<std::size_t>(base + lane)] = {mask, what, muster::lane_set{mask}.lane_of(below(members_count))};
        }
      }
    }
    made.steps.push_back(std::move(parts));
    made.block_barrier_after.push_back(below(3) == 0);
  }
  return made;
}

std::uint32_t model_result(part const& mine, std::uint32_t const* warp_values, int lane) {
  auto const value = [&](int of) { return warp_values[of]; };
  std::uint32_t matching = 0, odd = 0, sum = 0, parity = 0;
  std::int32_t greatest = INT32_MIN;
  for (int each = 0; each < 32; ++each) {
    if ((mine.mask >> each & 1u) == 0) continue;
    if (value(each) % 8 == value(lane) % 8) matching |= 1u << each;
    if (value(each) % 2 == 1) odd |= 1u << each;
    sum += value(each);
    parity ^= value(each);
    greatest = std::max(greatest, static_cast<std::int32_t>(value(each)));
  }
  switch (mine.what) {
    case action::shuffle_word: return value(mine.source);
    case action::shuffle_large: return gathered(spread(value(mine.source)));
    case action::ballot: return odd;
    case action::any: return odd != 0;
    case action::all: return odd == mine.mask;
    case action::match_any: return matching;
    case action::match_all: return matching == mine.mask ? matching : 0;
    case action::redux_add: return sum;
    case action::redux_xor: return parity;
    case action::redux_max: return static_cast<std::uint32_t>(greatest);
    case action::sync:
    case action::count: break;
  }
  return 0;
}

std::vector<std::uint32_t> modelled(program const& todo) {
  std::vector<std::uint32_t> values(static_cast<std::size_t>(todo.threads + 32));
  for (int thread = 0; thread < todo.threads; ++thread) values[static_cast<std::size_t>(thread)] = start_value(thread);
  for (auto const& parts : todo.steps) {
    auto const before = values;
    for (int thread = 0; thread < todo.threads; ++thread) {
      part const& mine = parts[static_cast<std::size_t>(thread)];
      if (mine.mask == 0) continue;
      auto& value = values[static_cast<std::size_t>(thread)];
      value = mixed(value, model_result(mine, before.data() + thread / 32 * 32, thread % 32));
    }
  }
  values.resize(static_cast<std::size_t>(todo.threads));
  return values;
}

std::uint32_t emulated_result(part const& mine, std::uint32_t value) {
  using muster::redux_operation;
  switch (mine.what) {
    case action::shuffle_word: return shuffle_idx(mine.mask, value, mine.source);
    case action::shuffle_large: {
      large const sent = spread(value);
      large received;
      emulator::shuffle(muster::shuffle_mode::idx, mine.mask, &sent, &received, sizeof sent, static_cast<unsigned>(mine.source), 31, site::here());
      return gathered(received);
    }
    case action::ballot: return emulator::ballot(mine.mask, value % 2 == 1, site::here());
    case action::any: return emulator::any(mine.mask, value % 2 == 1, site::here());
    case action::all: return emulator::all(mine.mask, value % 2 == 1, site::here());
    case action::match_any: {
      std::uint64_t const key = value % 8;
      return emulator::match_any(mine.mask, &key, sizeof key, site::here());
    }
    case action::match_all: {
      auto const key = static_cast<unsigned char>(value % 8);
      return emulator::match_all(mine.mask, &key, sizeof key, site::here());
    }
    case action::redux_add: return emulator::redux(redux_operation::add, mine.mask, value, site::here());
    case action::redux_xor: return emulator::redux(redux_operation::bit_xor, mine.mask, value, site::here());
    case action::redux_max: return emulator::redux(redux_operation::max_s32, mine.mask, value, site::here());
    case action::sync:
    case action::count: emulator::sync_warp(mine.mask, site::here()); break;
  }
  return 0;
}

}  // namespace

TEST_CASE("random well-formed programs agree with a model under every schedule") {
  std::mt19937 chance(20240607);
  for (int number = 0; number < 200; ++number) {
    program const todo = random_program(chance);
    auto const expected = modelled(todo);
    for (schedule order : all_schedules) {
      emulator::options options;
      options.order = order;
      options.seed = chance();
      options.threads = 1;
      std::vector<std::uint32_t> values(static_cast<std::size_t>(todo.threads));
      auto const findings = findings_of(options, {static_cast<unsigned>(todo.threads), 1, 1}, [&] {
        auto const me = static_cast<std::size_t>(emulator::here().linear);
        std::uint32_t value = start_value(emulator::here().linear);
        for (std::size_t step = 0; step < todo.steps.size(); ++step) {
          part const& mine = todo.steps[step][me];
          if (mine.mask != 0) value = mixed(value, emulated_result(mine, value));
          if (todo.block_barrier_after[step]) emulator::sync_block(site::here());
        }
        values[me] = value;
      });
      CAPTURE(number, static_cast<int>(order), options.seed);
      CHECK(texts_of(findings) == "");
      REQUIRE(values == expected);
    }
  }
}

TEST_CASE("a program with one lane's step left out is never clean") {
  std::mt19937 chance(4711);
  int tried = 0;
  while (tried < 100) {
    program todo = random_program(chance);
    // A thread that skips a step others wait for, and lives on at the block barrier.
    auto const step = static_cast<std::size_t>(chance() % todo.steps.size());
    auto const thread = static_cast<std::size_t>(chance() % static_cast<unsigned>(todo.threads));
    if (muster::lane_set{todo.steps[step][thread].mask}.count() < 2) continue;
    ++tried;
    for (schedule order : all_schedules) {
      emulator::options options;
      options.order = order;
      options.seed = chance();
      options.threads = 1;
      auto const findings = findings_of(options, {static_cast<unsigned>(todo.threads), 1, 1}, [&] {
        auto const me = static_cast<std::size_t>(emulator::here().linear);
        std::uint32_t value = start_value(emulator::here().linear);
        for (std::size_t now = 0; now < todo.steps.size(); ++now) {
          part const& mine = todo.steps[now][me];
          if (now == step && me == thread) {
            emulator::sync_block(site::here());
            return;
          }
          if (mine.mask != 0) value = mixed(value, emulated_result(mine, value));
        }
        emulator::sync_block(site::here());
      });
      CAPTURE(tried, static_cast<int>(order), options.seed);
      REQUIRE(has(findings, finding_kind::absent_lanes));
    }
  }
}
