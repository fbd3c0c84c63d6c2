// The proof on plans written by hand: it accepts other algorithms than the generator's, and names what is wrong with bad ones.
#include <catch2/catch_test_macros.hpp>

#include <muster/plan/proof.hpp>

#include "support.hpp"

using namespace test;
using muster::all_lanes;
using muster::plan::demand;
using muster::plan::flaw;
using muster::plan::flaw_of;
using muster::plan::guard;

namespace {

constexpr demand any_operator{};
constexpr demand commutative{.ordered = false};
constexpr demand idempotent{.ordered = false, .idempotent = true};

step fold(shuffle_mode mode, unsigned arg, unsigned c, guard use, lane_set takes, lane_set received_is_left) {
  step s;
  s.mode = mode;
  s.use = use;
  s.arg = static_cast<std::uint8_t>(arg);
  s.c = static_cast<std::uint16_t>(c);
  s.takes = takes;
  s.received_is_left = received_is_left;
  return s;
}

lane_set upper_of(int bit) {
  lane_set result;
  for (int lane = 0; lane < 32; ++lane) result.bits |= (lane & bit) != 0 ? 1u << lane : 0u;
  return result;
}

plan butterfly(int first, int last) {
  plan p;
  for (int x = first; first < last ? x <= last : x >= last; x = first < last ? x * 2 : x / 2) {
    p.steps[p.count++] = fold(shuffle_mode::bfly, static_cast<unsigned>(x), 31, guard::always, all_lanes, upper_of(x));
  }
  return p;
}

// shuffle_down by 1, 2, 4 and a broadcast from lane 0, as in many textbooks; eight lanes.
plan down_then_broadcast() {
  plan p;
  for (unsigned d = 1; d <= 4; d *= 2) p.steps[p.count++] = fold(shuffle_mode::down, d, 0x1807, guard::in_range, lane_set::range(0, 8 - static_cast<int>(d)), {});
  p.steps[p.count] = fold(shuffle_mode::idx, 0, 31, guard::always, lane_set::range(0, 8), {});
  p.steps[p.count++].replaces = true;
  return p;
}

}  // namespace

TEST_CASE("the butterfly from small to large offsets is proven for every operator") {
  CHECK(flaw_of(butterfly(1, 16), 32, all_lanes, kind::all_reduce, any_operator) == flaw::none);
  CHECK(flaw_of(butterfly(1, 4), 8, all_lanes, kind::all_reduce, any_operator) == flaw::none);
}

TEST_CASE("the butterfly from large to small offsets needs a commutative operator") {
  CHECK(flaw_of(butterfly(16, 1), 32, all_lanes, kind::all_reduce, any_operator) == flaw::out_of_order);
  CHECK(flaw_of(butterfly(16, 1), 32, all_lanes, kind::all_reduce, commutative) == flaw::none);
}

TEST_CASE("operands on the wrong side are a matter of order alone") {
  plan p = butterfly(1, 16);
  p.steps[2].received_is_left = {};
  CHECK(flaw_of(p, 32, all_lanes, kind::all_reduce, any_operator) == flaw::out_of_order);
  CHECK(flaw_of(p, 32, all_lanes, kind::all_reduce, commutative) == flaw::none);
}

TEST_CASE("a butterfly across the tile brings in other tiles") {
  CHECK(flaw_of(butterfly(1, 8), 8, all_lanes, kind::all_reduce) == flaw::outside_the_tile);
}

TEST_CASE("a butterfly that stops early misses contributions") {
  CHECK(flaw_of(butterfly(1, 8), 32, all_lanes, kind::all_reduce) == flaw::missing_contribution);
}

TEST_CASE("a butterfly on part of the lanes reads lanes that take no part") {
  CHECK(flaw_of(butterfly(1, 4), 8, lane_set::range(0, 7), kind::all_reduce) == flaw::not_a_member_source);
}

TEST_CASE("rotation doubles contributions, which idempotent operators stand") {
  // Six lanes read the lane 1, 2 and 4 above, around the end: eight contributions where there are six.
  plan p;
  p.uses_table = true;
  lane_set const members = lane_set::range(0, 6);
  for (int d = 1; d <= 4; d *= 2) {
    step s = fold(shuffle_mode::idx, 0, 31, guard::always, members, {});
    s.from = operand::table;
    for (int lane = 0; lane < 6; ++lane) p.words[lane] |= static_cast<std::uint32_t>((lane + d) % 6) << (5 * p.count);
    p.steps[p.count++] = s;
  }
  CHECK(flaw_of(p, 8, members, kind::all_reduce, idempotent) == flaw::none);
  CHECK(flaw_of(p, 8, members, kind::all_reduce, commutative) == flaw::doubled);
}

TEST_CASE("a reduction by shuffle_down holds in lane 0 alone, and replacing is for exclusive scans") {
  plan p = down_then_broadcast();
  CHECK(flaw_of(p, 8, lane_set::range(0, 8), kind::all_reduce) == flaw::unexpected_fold);
  --p.count;
  CHECK(flaw_of(p, 8, lane_set::range(0, 8), kind::all_reduce) == flaw::missing_contribution);
}

TEST_CASE("an inclusive scan is not an exclusive one, nor a reduction") {
  plan p;
  for (int d = 1; d <= 16; d *= 2) {
    lane_set const takes = all_lanes - lane_set::range(0, d);
    p.steps[p.count++] = fold(shuffle_mode::up, static_cast<unsigned>(d), 0, guard::in_range, takes, takes);
  }
  CHECK(flaw_of(p, 32, all_lanes, kind::inclusive_scan) == flaw::none);
  CHECK(flaw_of(p, 32, all_lanes, kind::exclusive_scan) == flaw::unexpected_fold);
  CHECK(flaw_of(p, 32, all_lanes, kind::all_reduce) == flaw::missing_contribution);
  lane_set const takes = all_lanes - lane_set::single(0);
  p.steps[p.count] = fold(shuffle_mode::up, 1, 0, guard::in_range, takes, takes);
  p.steps[p.count++].replaces = true;
  CHECK(flaw_of(p, 32, all_lanes, kind::exclusive_scan) == flaw::none);
  p.steps[p.count - 1].use = guard::always;
  p.steps[p.count - 1].takes = all_lanes;
  CHECK(flaw_of(p, 32, all_lanes, kind::exclusive_scan) == flaw::too_many);  // lane 0 would hold its own
}

TEST_CASE("takes has to agree with the guard") {
  plan p = butterfly(1, 16);
  p.steps[0].takes = all_lanes - lane_set::single(5);
  CHECK(flaw_of(p, 32, all_lanes, kind::all_reduce) == flaw::guard_disagrees);
  p.steps[0].use = guard::lane_test;
  CHECK(flaw_of(p, 32, all_lanes, kind::all_reduce, commutative) != flaw::none);
}

TEST_CASE("plans that no kernel could run are malformed") {
  plan p = butterfly(1, 16);
  CHECK(flaw_of(p, 12, all_lanes, kind::all_reduce) == flaw::malformed);
  CHECK(flaw_of(p, 0, all_lanes, kind::all_reduce) == flaw::malformed);
  p.count = 7;
  CHECK(flaw_of(p, 32, all_lanes, kind::all_reduce) == flaw::malformed);
  p = butterfly(1, 16);
  p.steps[1].arg = 34;
  CHECK(flaw_of(p, 32, all_lanes, kind::all_reduce) == flaw::malformed);
  p = butterfly(1, 16);
  p.steps[1].c = 0x3f;
  CHECK(flaw_of(p, 32, all_lanes, kind::all_reduce) == flaw::malformed);
  CHECK(flaw_of(plan{}, 1, all_lanes, kind::exclusive_scan) == flaw::malformed);
  CHECK(flaw_of(plan{}, 1, all_lanes, kind::all_reduce) == flaw::none);
}

TEST_CASE("every flaw has a name of its own") {
  std::vector<std::string> names;
  for (int f = 0; f <= static_cast<int>(flaw::unexpected_fold); ++f) {
    std::string const name = name_of(static_cast<flaw>(f));
    CHECK(name != "unknown");
    for (std::string const& other : names) CHECK(name != other);
    names.push_back(name);
  }
}

TEST_CASE("the proof's rule for shfl is the manual's") {
  for (int mode = 0; mode < 4; ++mode) {
    for (unsigned c = 0; c < 0x2000u; ++c) {
      if ((c & 0xe0u) != 0) continue;
      for (unsigned b = 0; b < 32; ++b) {
        for (int lane = 0; lane < 32; ++lane) {
          auto const ours = muster::source_of(static_cast<shuffle_mode>(mode), lane, b, c);
          auto const manual = ptx_shfl(static_cast<shuffle_mode>(mode), lane, b, c);
          if (ours.lane != manual.source || ours.in_range != manual.predicate) {
            FAIL("mode " << mode << " lane " << lane << " b " << b << " c " << c << ": " << ours.lane << ", the manual says " << manual.source);
          }
        }
      }
    }
  }
  SUCCEED();
}
