// Narrowing misused in ways that compile: the emulator reports each, with lanes and line, under every schedule. The twin, which does the same in the right way, is quiet in
// many orders.
#include <cstdint>

#include <catch2/catch_test_macros.hpp>

#include <muster/muster.hpp>

#include "support/findings.hpp"

// Named: nvcc 13.0 cannot tell apart kernel types of an unnamed namespace in some translation units.
namespace narrowing_that_some_skip {

using namespace test;
using muster::lane_set;
using muster::emulator::finding_kind;
using muster::emulator::schedule;

struct leader_called_by_some {
  static constexpr int line = __LINE__ + 5;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    auto const held = muster::reduce_to<0>(warp, 1, muster::plus{});
    if (muster::thread_rank(warp) > 4) {
      muster::only_rank<0>(warp, muster::with(held), [&](auto, int const& sum) { out[0] = sum; });
    }
    muster::sync(block);
  }
};
struct set_called_by_some {
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    if (muster::thread_rank(warp) < 4) muster::only<lane_set{0xff}>(warp, [&](auto) { out[muster::thread_rank(block)] = 1; });
    muster::sync(warp);
  }
};
struct tiles_called_by_half_of_each {
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const tile = muster::tiled_partition<8>(muster::this_warp(block));
    if (muster::thread_rank(tile) < 4) muster::each_tile(tile, [&](auto) { out[muster::thread_rank(block)] = 1; });
    muster::sync(block);
  }
};
struct branch_called_by_some {
  static constexpr int line = __LINE__ + 4;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    auto const yes = muster::any(warp, true);
    if (muster::thread_rank(warp) < 16) muster::branch(warp, yes, [&](auto) { out[muster::thread_rank(block)] = 1; });
    muster::sync(block);
  }
};
struct loop_called_by_some {
  static constexpr int line = __LINE__ + 6;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    auto const first = muster::block_rank(block) == muster::constant<0>{};
    int trips = 0;
    if (muster::thread_rank(warp) < 16) {
      muster::loop_while(warp, [&](auto) { return trips == 0 ? first : !first; }, [&](auto) { ++trips; });
    }
    muster::sync(block);
    out[muster::thread_rank(block)] = trips;
  }
};
struct leader_invoked_by_some {
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    if (muster::thread_rank(warp) > 4) muster::invoke_one(warp, [&] { out[0] = 1; });
    muster::sync(block);
  }
};
struct warp_called_by_some {
  static constexpr int line = __LINE__ + 2;
  MUSTER_FN void operator()(auto block, int* out) const {
    if (muster::thread_rank(block) % 32 < 8) muster::only_warp<0>(block, [&](auto) { out[muster::thread_rank(block)] = 1; });
    muster::sync(block);
  }
};
struct warps_called_by_some {
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const body = [&](auto) { out[muster::thread_rank(block)] = 1; };
    if (muster::thread_rank(block) % 32 < 8) muster::for_warps(block, body, body);
    muster::sync(block);
  }
};
struct two_functions {
  static constexpr int line = __LINE__ + 4;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    auto const mark = [&](auto) { out[muster::thread_rank(block)] = 1; };
    muster::thread_rank(warp) < 8 ? muster::only_rank<0>(warp, mark) : muster::only_rank<1>(warp, mark);
    muster::sync(block);
  }
};
struct uniform_chosen_by_lanes {
  static constexpr int line = __LINE__ + 5;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    auto const yes = muster::any(warp, true);
    auto const chosen = muster::thread_rank(warp) < 8 ? yes : !yes;
    muster::branch(warp, chosen, [&](auto) { out[muster::thread_rank(block)] = 1; }, [&](auto) { out[muster::thread_rank(block)] = 2; });
    muster::sync(block);
  }
};
struct uniform_chosen_by_lanes_as_predicate {
  static constexpr int line = __LINE__ + 5;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    int trips = 0;
    auto const yes = muster::any(warp, true);
    muster::loop_while(warp, [&](auto) { return trips < muster::thread_rank(warp) / 16 + 1 ? yes : !yes; }, [&](auto) { ++trips; });
    out[muster::thread_rank(block)] = trips;
  }
};
struct outer_leader_in_a_body {
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    muster::only<lane_set{0xff}>(warp, [&](auto) { muster::only_rank<0>(warp, [&](auto) { out[0] = 1; }); });
  }
};
struct block_of_a_body {
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    muster::only<lane_set{0xff}>(warp, [&](auto) { out[muster::thread_rank(block)] = muster::warp_rank(muster::this_block()); });
  }
};
struct warp_of_a_body {
  static constexpr int line = __LINE__ + 2;
  MUSTER_FN void operator()(auto block, int* out) const {
    muster::only<lane_set{0xff}>(muster::this_warp(block), [&](auto) { muster::only_warp<0>(block, [&](auto) { out[0] = 1; }); });
  }
};

struct halves_in_two_scopes {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const tile = muster::tiled_partition<8>(muster::this_warp(block));
    int const rank = muster::thread_rank(tile), thread = muster::thread_rank(block);
    muster::each_tile(tile, [&](auto own) {
      if (rank < 4) muster::invoke_one(own, [&] { out[thread] = 1; });
    });
    muster::each_tile(tile, [&](auto own) {
      if (rank >= 4) muster::invoke_one(own, [&] { out[thread] = 1; });
    });
    muster::sync(block);
  }
};
struct halves_of_nested_scopes {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const tile = muster::tiled_partition<8>(muster::this_warp(block));
    int const rank = muster::thread_rank(tile), thread = muster::thread_rank(block);
    muster::each_tile(tile, [&](auto own) {
      if (rank < 4) out[thread] = muster::reduce(own, 1, muster::plus{});
      muster::branch(own, muster::as_uniform(own, true), [&](auto inner) {
        if (rank >= 4) out[thread] = muster::reduce(inner, 1, muster::plus{});
      });
    });
  }
};
struct parity_of_the_trip {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const tile = muster::tiled_partition<8>(muster::this_warp(block));
    int const thread = muster::thread_rank(block);
    for (int trip = 0; trip < 4; ++trip) {
      muster::each_tile(tile, [&](auto own) {
        if ((thread + trip) % 2 == 0) muster::only_rank<0>(own, [&](auto) { out[thread] = trip; });
      });
    }
    muster::sync(block);
  }
};
struct leader_that_has_left {
  static constexpr int line = __LINE__ + 4;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    if (muster::thread_rank(warp) < 4) return;
    muster::only_rank<0>(warp, [&](auto) { out[0] = 1; });
  }
};
struct others_that_have_left {
  static constexpr int line = __LINE__ + 4;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    if (muster::thread_rank(warp) >= 16) return;
    muster::only<lane_set{0xffff}>(warp, [&](auto) { out[0] = 1; }, [&](auto) { out[1] = 1; });
  }
};
struct only_warp_skipped_by_a_warp {
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, int* out) const {
    if (muster::thread_rank(block) >= 32) {
      muster::only_warp<1>(block, [&](auto) { out[muster::thread_rank(block) % 64] = 1; });
    }
    muster::sync(block);
  }
};
struct for_warps_skipped_by_a_warp {
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const body = [&](auto) { out[muster::thread_rank(block) % 64] = 1; };
    if (muster::thread_rank(block) >= 32) muster::for_warps(block, body, body);
    muster::sync(block);
  }
};

template <class Kernel>
void expect_some_finding(Kernel const& kernel, finding_kind kind, finding_kind other) {
  for (schedule const order : all_schedules) {
    auto const found = findings_of(kernel, muster::block_dims<32>{}, order, 42);
    REQUIRE_FALSE(found.empty());
    INFO(found[0].text);
    CHECK((found[0].kind == kind || found[0].kind == other));
  }
}

TEST_CASE("members of one scope do not stand in for those of another with the same lanes") {
  expect_some_finding(halves_in_two_scopes{}, finding_kind::absent_lanes, finding_kind::absent_lanes);
  expect_some_finding(halves_of_nested_scopes{}, finding_kind::different_operation, finding_kind::absent_lanes);
  expect_some_finding(parity_of_the_trip{}, finding_kind::absent_lanes, finding_kind::absent_lanes);
}

TEST_CASE("a leader that has left before it was to act is reported") {
  expect_finding<leader_that_has_left>(finding_kind::acting_lane_exited, lane_set{1}, "its body runs in nobody");
  expect_finding<others_that_have_left>(finding_kind::acting_lane_exited, lane_set{0xffff0000}, "its body runs in nobody");
}

TEST_CASE("a whole warp that skips a narrowing of the block is reported") {
  expect_finding<only_warp_skipped_by_a_warp>(finding_kind::absent_lanes, muster::all_lanes, "warp 0 passed it by", {}, muster::block_dims<96>{});
  expect_finding<for_warps_skipped_by_a_warp>(finding_kind::absent_lanes, muster::all_lanes, "warp 0 passed it by", {}, muster::block_dims<96>{});
}

TEST_CASE("a narrowing that some members do not come to is reported") {
  expect_finding<leader_called_by_some>(finding_kind::absent_lanes, lane_set{0x1f}, "only_rank<0>");
  expect_finding<set_called_by_some>(finding_kind::absent_lanes, lane_set{0xfffffff0}, "only<0x000000ff>");
  expect_finding<tiles_called_by_half_of_each>(finding_kind::absent_lanes, lane_set{0xf0f0f0f0}, "each_tile in tiles of 8");
  expect_finding<branch_called_by_some>(finding_kind::absent_lanes, lane_set{0xffff0000}, "branch on a uniform condition");
  expect_finding<loop_called_by_some>(finding_kind::absent_lanes, lane_set{0xffff0000}, "loop_while on a uniform condition");
  expect_finding<leader_invoked_by_some>(finding_kind::absent_lanes, lane_set{0x1f}, "invoke_one");
  expect_finding<warp_called_by_some>(finding_kind::absent_lanes, lane_set{0xffffff00}, "only_warp<0>");
  expect_finding<warps_called_by_some>(finding_kind::absent_lanes, lane_set{0xffffff00}, "for_warps");
}

TEST_CASE("members at two different narrowings are reported") {
  expect_finding<two_functions>(finding_kind::different_operation, lane_set{0xff}, "only_rank<1>", lane_set{0xffffff00});
}

TEST_CASE("a condition that is uniform by its type alone is reported") {
  expect_finding<uniform_chosen_by_lanes>(finding_kind::not_uniform, lane_set{0xff}, "branch on a uniform condition", lane_set{0xffffff00});
  expect_finding<uniform_chosen_by_lanes_as_predicate>(finding_kind::not_uniform, lane_set{0xffff}, "loop_while on a uniform condition", lane_set{0xffff0000});
}

TEST_CASE("a narrowing of the outer token, or of the block, in a body is reported") {
  expect_finding<outer_leader_in_a_body>(finding_kind::outside_scope, lane_set{0xffffff00}, "only_rank<0>");
  expect_finding<block_of_a_body>(finding_kind::outside_scope, lane_set{0xff}, "this_block");
  expect_finding<warp_of_a_body>(finding_kind::outside_scope, muster::all_lanes, "only_warp<0>");
}

// Everything above by all members, tiles at their own pace, lanes that leave loops, a ragged warp.
struct narrowing_by_all {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    auto const tile = muster::tiled_partition<8>(warp);
    int const thread = muster::thread_rank(block);
    int sum = 0;
    for (int i = 0; i < 20; ++i) {
      muster::each_tile(tile, [&](auto tile) {
        int trips = muster::meta_group_rank(tile) + i % 3;
        muster::loop_while(
            tile, [&](auto tile) { return muster::as_uniform(tile, trips > 0); },
            [&](auto tile) {
              --trips;
              auto const held = muster::reduce_to<0>(tile, trips, muster::plus{});
              auto const copy = held;
              muster::only_rank<0>(tile, muster::with(copy), [&](auto, int const& total) { sum += total; });
              muster::branch(tile, muster::thread_rank(tile) % 2 == 0, [&](auto tile) {
                muster::invoke_one(tile, [&] { ++sum; });
                sum += held.rank;
              });
              sum += held.broadcast(tile);
            });
      });
      muster::only_rank<0>(tile, [&](auto) { ++sum; });
    }
    int left = thread % 5;
    muster::loop_while(warp, [&](auto) { return left > 0; }, [&](auto warp) {
      --left;
      auto held = muster::reduce_to<0>(warp, left, muster::plus{});
      muster::only_rank<0>(warp, muster::with(held), [&](auto, int& total) { sum += ++total; });
    });
    muster::branch(warp, muster::block_rank(block) == muster::constant<0>{}, [&](auto warp) { sum += muster::reduce(warp, 1, muster::plus{}); });
    muster::branch(tile, muster::any(tile, thread % 32 == 3), [&](auto tile) { sum += muster::reduce(tile, 1, muster::plus{}); }, [&](auto) { ++sum; });
    muster::for_warps(
        block, [&](auto warp) { muster::only<lane_set{0xff00ff}>(warp, [&](auto half) { muster::each_tile(half, [&](auto half) { sum += muster::reduce(half, 1, muster::plus{}); }); }); },
        [&](auto warp) { muster::invoke_one(warp, [&] { ++sum; }); });
    muster::only_warp<1>(block, [&](auto warp) { sum += muster::all(warp, true) ? 1 : 0; });
    muster::sync(block);
    out[thread] = sum;
  }
};

TEST_CASE("narrowing by all members is quiet in every order") {
  expect_quiet<narrowing_by_all>(muster::block_dims<64>{});
  expect_quiet<narrowing_by_all>(muster::block_dims<45>{});
  expect_quiet<narrowing_by_all>(muster::dynamic_block_dims{45});
}

// Who returns early is not waited for, which is a note and no more.
struct early_return {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    if (muster::thread_rank(warp) >= 24) return;
    muster::only_rank<0>(warp, [&](auto) { out[0] = 1; });
    muster::each_tile(muster::tiled_partition<8>(warp), [&](auto tile) { out[muster::thread_rank(block)] = muster::reduce(tile, 1, muster::plus{}); });
    muster::sync(block);
  }
};

TEST_CASE("members that return early are notes") {
  for (schedule const order : all_schedules) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      auto const found = findings_of(early_return{}, muster::block_dims<32>{}, order, seed);
      for (auto const& one : found) {
        INFO(one.text);
        CHECK(one.is_note);
        CHECK(one.lanes == lane_set{0xff000000});
      }
      CHECK(!found.empty());
    }
  }
}

}  // namespace narrowing_that_some_skip
