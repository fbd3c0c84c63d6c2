// Each collective against its definition, in full and partial sets, under every schedule.
#include <array>
#include <cstring>

#include <catch2/catch_test_macros.hpp>

#include "support.hpp"

using namespace emulator_test;
using muster::shuffle_mode;

namespace {

template <std::size_t Bytes>
struct payload {
  unsigned char byte[Bytes];
  friend bool operator==(payload const&, payload const&) = default;
};

template <std::size_t Bytes>
payload<Bytes> payload_of(int lane) {
  payload<Bytes> made;
  for (std::size_t i = 0; i < Bytes; ++i) made.byte[i] = static_cast<unsigned char>(lane * 7 + static_cast<int>(i) + 1);
  return made;
}

template <std::size_t Bytes>
void check_size() {
  for_each_schedule([](emulator::options options) {
    std::array<payload<Bytes>, 64> received{};
    std::array<payload<Bytes>, 64> in_place{};
    auto const findings = findings_of(options, {64, 1, 1}, [&] {
      auto const mine = payload_of<Bytes>(lane());
      auto& other = received[static_cast<std::size_t>(emulator::here().linear)];
      emulator::shuffle(shuffle_mode::bfly, full, &mine, &other, Bytes, 5, 31, site::here());
      auto& both = in_place[static_cast<std::size_t>(emulator::here().linear)];
      both = mine;
      emulator::shuffle(shuffle_mode::bfly, full, &both, &both, Bytes, 3, 31, site::here());
    });
    CHECK(texts_of(findings) == "");
    for (int i = 0; i < 64; ++i) {
      CHECK(received[static_cast<std::size_t>(i)] == payload_of<Bytes>(i % 32 ^ 5));
      CHECK(in_place[static_cast<std::size_t>(i)] == payload_of<Bytes>(i % 32 ^ 3));
    }
  });
}

}  // namespace

TEST_CASE("a shuffle carries values of any size, also in place") {
  check_size<1>();
  check_size<2>();
  check_size<3>();
  check_size<4>();
  check_size<8>();
  check_size<12>();
  check_size<40>();
}

TEST_CASE("each shuffle mode reads where PTX says, in segments of every width") {
  for_each_schedule([](emulator::options options) {
    for (int width : {1, 2, 4, 8, 16, 32}) {
      for (shuffle_mode mode : {shuffle_mode::up, shuffle_mode::down, shuffle_mode::bfly, shuffle_mode::idx}) {
        std::array<int, 32> value{};
        std::array<bool, 32> in_range{};
        int const offset = width / 2;
        auto const findings = findings_of(options, {32, 1, 1}, [&] {
          auto const me = static_cast<std::size_t>(lane());
          int const mine = 100 + lane();
          in_range[me] = emulator::shuffle(mode, full, &mine, &value[me], sizeof mine, static_cast<unsigned>(offset),
                                           muster::segment_operand(width, mode == shuffle_mode::up ? 0 : 31), site::here());
        });
        CHECK(texts_of(findings) == "");
        for (int me = 0; me < 32; ++me) {
          int const base = me / width * width, rank = me % width;
          int wanted = rank;
          if (mode == shuffle_mode::up) wanted = rank - offset;
          if (mode == shuffle_mode::down) wanted = rank + offset;
          if (mode == shuffle_mode::bfly) wanted = rank ^ offset;
          if (mode == shuffle_mode::idx) wanted = offset % width;
          bool const inside = wanted >= 0 && wanted < width;
          CAPTURE(width, static_cast<int>(mode), me);
          CHECK(in_range[static_cast<std::size_t>(me)] == inside);
          CHECK(value[static_cast<std::size_t>(me)] == 100 + base + (inside ? wanted : rank));
        }
      }
    }
  });
}

TEST_CASE("votes speak of the members only") {
  for_each_schedule([](emulator::options options) {
    std::array<std::uint32_t, 32> ballots{}, anys{}, alls{};
    auto const findings = findings_of(options, {32, 1, 1}, [&] {
      std::uint32_t const mask = lane() < 12 ? 0xfffu : 0xfffff000u;
      auto const me = static_cast<std::size_t>(lane());
      ballots[me] = emulator::ballot(mask, lane() % 3 == 0, site::here());
      anys[me] = emulator::any(mask, lane() == 31, site::here());
      alls[me] = emulator::all(mask, lane() < 12, site::here());
    });
    CHECK(texts_of(findings) == "");
    for (std::size_t me = 0; me < 32; ++me) {
      CHECK(ballots[me] == (0x49249249u & (me < 12 ? 0xfffu : 0xfffff000u)));
      CHECK(anys[me] == (me >= 12));
      CHECK(alls[me] == (me < 12));
    }
  });
}

TEST_CASE("matches compare bytes, of words and of larger values") {
  struct wide {
    std::uint64_t low, high;
  };
  for_each_schedule([](emulator::options options) {
    std::array<std::uint32_t, 32> words{}, wides{}, same{}, different{};
    auto const findings = findings_of(options, {32, 1, 1}, [&] {
      auto const me = static_cast<std::size_t>(lane());
      std::uint32_t const mask = 0x0fffffffu;
      if (lane() >= 28) return;
      int const word = lane() % 5;
      words[me] = emulator::match_any(mask, &word, sizeof word, site::here());
      wide const value{7, static_cast<std::uint64_t>(lane() / 4)};
      wides[me] = emulator::match_any(mask, &value, sizeof value, site::here());
      double const constant = 1.5;
      same[me] = emulator::match_all(mask, &constant, sizeof constant, site::here());
      different[me] = emulator::match_all(mask, &value, sizeof value, site::here());
    });
    CHECK(texts_of(findings) == "");
    for (std::size_t me = 0; me < 28; ++me) {
      std::uint32_t expected = 0;
      for (std::size_t other = 0; other < 28; ++other) expected |= other % 5 == me % 5 ? 1u << other : 0;
      CHECK(words[me] == expected);
      CHECK(wides[me] == 0xfu << me / 4 * 4);
      CHECK(same[me] == 0x0fffffffu);
      CHECK(different[me] == 0);
    }
  });
}

TEST_CASE("redux folds the members' words by each operation") {
  using muster::redux_operation;
  auto const value_of = [](int lane) { return static_cast<std::uint32_t>(lane % 2 == 0 ? lane * 1000003 : -lane * 77); };
  for (redux_operation op : {redux_operation::add, redux_operation::min_s32, redux_operation::max_s32, redux_operation::min_u32, redux_operation::max_u32,
                             redux_operation::bit_and, redux_operation::bit_or, redux_operation::bit_xor}) {
    for (std::uint32_t mask : {full, 0x00ff00f0u, 0x80000000u}) {
      std::uint32_t expected = 0;
      bool first = true;
      for (int lane = 0; lane < 32; ++lane) {
        if ((mask >> lane & 1u) == 0) continue;
        std::uint32_t const value = value_of(lane);
        auto const as_signed = [](std::uint32_t bits) { return static_cast<std::int32_t>(bits); };
        if (first) expected = value;
        else if (op == redux_operation::add) expected += value;
        else if (op == redux_operation::min_s32) expected = as_signed(value) < as_signed(expected) ? value : expected;
        else if (op == redux_operation::max_s32) expected = as_signed(value) > as_signed(expected) ? value : expected;
        else if (op == redux_operation::min_u32) expected = value < expected ? value : expected;
        else if (op == redux_operation::max_u32) expected = value > expected ? value : expected;
        else if (op == redux_operation::bit_and) expected &= value;
        else if (op == redux_operation::bit_or) expected |= value;
        else expected ^= value;
        first = false;
      }
      for_each_schedule([&](emulator::options options) {
        std::array<std::uint32_t, 32> results{};
        auto const findings = findings_of(options, {32, 1, 1}, [&] {
          if ((mask >> lane() & 1u) != 0) results[static_cast<std::size_t>(lane())] = emulator::redux(op, mask, value_of(lane()), site::here());
        });
        CHECK(texts_of(findings) == "");
        for (int lane = 0; lane < 32; ++lane) CHECK(results[static_cast<std::size_t>(lane)] == ((mask >> lane & 1u) != 0 ? expected : 0));
      });
    }
  }
}

TEST_CASE("barriers of a warp and of a block let nobody pass early") {
  for_each_schedule([](emulator::options options) {
    std::array<int, 100> first{}, second{};
    bool early_in_warp = false, early_in_block = false;
    auto const findings = findings_of(options, {100, 1, 1}, [&] {
      int const me = emulator::here().linear;
      first[static_cast<std::size_t>(me)] = 1;
      emulator::sync_warp(muster::lane_set::range(0, emulator::lanes_in_warp()).bits, site::here());
      for (int other = me / 32 * 32; other < me / 32 * 32 + emulator::lanes_in_warp(); ++other) {
        early_in_warp |= first[static_cast<std::size_t>(other)] != 1;
      }
      second[static_cast<std::size_t>(me)] = 1;
      emulator::sync_block(site::here());
      for (int each : second) early_in_block |= each != 1;
    });
    CHECK(texts_of(findings) == "");
    CHECK_FALSE(early_in_warp);
    CHECK_FALSE(early_in_block);
  });
}

TEST_CASE("members may execute one operation from different lines") {
  for_each_schedule([](emulator::options options) {
    std::array<std::uint32_t, 32> ballots{};
    auto const findings = findings_of(options, {32, 1, 1}, [&] {
      auto& result = ballots[static_cast<std::size_t>(lane())];
      if (lane() % 2 == 0) {
        result = emulator::ballot(full, true, site::here());
      } else {
        result = emulator::ballot(full, false, site::here());
      }
    });
    CHECK(texts_of(findings) == "");
    for (std::uint32_t each : ballots) CHECK(each == 0x55555555u);
  });
}

TEST_CASE("many sets that overlap one after another do not hinder each other") {
  for_each_schedule([](emulator::options options) {
    std::array<std::uint32_t, 32> sums{};
    auto const findings = findings_of(options, {32, 1, 1}, [&] {
      std::uint32_t value = 1;
      for (int width = 2; width <= 32; width *= 2) {
        std::uint32_t const mask = muster::lane_set::range(lane() / width * width, width).bits;
        value = emulator::redux(muster::redux_operation::add, mask, value, site::here());
      }
      sums[static_cast<std::size_t>(lane())] = value;
    });
    CHECK(texts_of(findings) == "");
    for (std::uint32_t each : sums) CHECK(each == 2u * 4u * 8u * 16u * 32u);
  });
}
