// What compiles and is wrong: the emulator reports it, with lanes, line and seed, under every schedule.
#include <string>

#include <catch2/catch_test_macros.hpp>

#include <muster/muster.hpp>

#include "support/findings.hpp"

// Named: nvcc 13.0 cannot tell apart kernel types of an unnamed namespace in some translation units.
namespace misuse {

using namespace test;
using muster::emulator::finding_kind;
using muster::emulator::schedule;

// As the shared one, but on a block of so many lanes, where the finding may come up with any lanes.
template <class Kernel>
void expect_finding(Kernel const& kernel, finding_kind kind, int line, int lane_count = 32) {
  for (schedule const order : all_schedules) {
    auto const found = findings_of(kernel, muster::dynamic_block_dims{static_cast<unsigned>(lane_count)}, order, 42);
    INFO("schedule " << static_cast<int>(order) << ", looked for " << muster::emulator::name_of(kind));
    bool seen = false;
    for (auto const& one : found) {
      INFO(one.text);
      if (one.kind != kind || one.is_note) continue;
      seen = true;
      CHECK(one.where.line == line);
      CHECK(std::string(one.where.file).ends_with("misuse_that_types_cannot_see.cpp"));
      CHECK(one.text.find("seed=42") != std::string::npos);
      CHECK_FALSE(one.lanes.empty());
    }
    CHECK(seen);
  }
}

struct outer_token_in_a_body {
  static constexpr int line = __LINE__ + 4;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    muster::only_rank<0>(warp, [&](auto) {
      out[0] = muster::reduce(muster::policy::shuffle, warp, 1, muster::plus{});
    });
  }
};
struct native_if_around_a_call {
  static constexpr int line = __LINE__ + 4;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    int const lane = muster::thread_rank(warp);
    if (lane < 8) out[lane] = muster::shuffle(warp, lane, 0);
    muster::sync(block);
  }
};
struct native_loop_with_two_trip_counts {
  static constexpr int line = __LINE__ + 5;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    int const lane = muster::thread_rank(warp);
    int sum = 0;
    for (int i = 0; i < (lane < 4 ? 2 : 3); ++i) sum += muster::shuffle(warp, lane, 1);
    muster::sync(block);
    out[lane] = sum;
  }
};
struct rank_beyond_the_tile {
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const tile = muster::tiled_partition<8>(muster::this_warp(block));
    out[muster::thread_rank(block)] = muster::shuffle(tile, 1, 8);
  }
};
struct set_asked_for_a_rank_beyond_the_tile {
  static constexpr int line = __LINE__ + 4;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const tile = muster::tiled_partition<8>(muster::this_warp(block));
    auto const voters = muster::ballot(tile, true);
    out[muster::thread_rank(block)] = voters.contains(40) ? 1 : 0;
  }
};
struct set_asked_for_a_negative_rank {
  static constexpr int line = __LINE__ + 4;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    auto const voters = muster::ballot(warp, muster::thread_rank(warp) % 2 == 0);
    out[muster::thread_rank(block)] = voters.contains(-1) ? 1 : 0;
  }
};
struct set_asked_below_its_end {
  static constexpr int line = __LINE__ + 4;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    auto const voters = muster::match_any(warp, 1);
    out[muster::thread_rank(block)] = voters.below(static_cast<int>(muster::num_threads(warp)));
  }
};
struct set_of_a_vote_asked_for_more_ranks_than_it_has {
  static constexpr int line = __LINE__ + 6;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    int const lane = muster::thread_rank(warp);
    muster::branch(warp, lane % 3 == 0, [&](auto third) {
      auto const voters = muster::ballot(third, lane > 3);
      out[lane] = voters.below(static_cast<int>(muster::num_threads(third)) + (lane == 0 ? 0 : -1));
    });
  }
};
struct stated_uniform_and_is_not {
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    out[muster::thread_rank(block)] = muster::as_uniform(warp, muster::thread_rank(warp) / 31).value();
  }
};
struct barrier_in_a_body {
  static constexpr int line = __LINE__ + 4;
  MUSTER_FN void operator()(auto block, int* out) const {
    muster::branch(muster::this_warp(block), true, [&](auto) {
      out[muster::thread_rank(block)] = 1;
      muster::sync(block);
    });
  }
};
struct half_the_block_at_the_barrier {
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    if (muster::thread_rank(warp) < 16) muster::sync(block);
    else muster::sync(warp);
    out[muster::thread_rank(block)] = 1;
  }
};

// Folds whose shuffles are the same instructions.
struct two_operators {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    int const lane = muster::thread_rank(warp);
    out[lane] = lane < 16 ? muster::reduce(muster::policy::shuffle, warp, lane, muster::plus{}).value() : muster::reduce(muster::policy::shuffle, warp, lane, muster::maximum{}).value();
  }
};
struct two_types {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    int const lane = muster::thread_rank(warp);
    out[lane] = lane < 16 ? muster::shuffle(warp, lane, 3) : static_cast<int>(muster::shuffle(warp, 1.5f, 3));
  }
};
struct two_algorithms {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    int const lane = muster::thread_rank(warp);
    int sum = lane;
    if (lane < 16) {
      sum = muster::reduce(muster::policy::shuffle, warp, lane, muster::plus{});
    } else {
      sum += muster::shuffle_xor<16>(warp, sum);
      sum += muster::shuffle_xor<8>(warp, sum);
      sum += muster::shuffle_xor<4>(warp, sum);
      sum += muster::shuffle_xor<2>(warp, sum);
      sum += muster::shuffle_xor<1>(warp, sum);
    }
    out[lane] = sum;
  }
};

// The votes in which lanes part ways.
struct branch_and_ballot {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    int const lane = muster::thread_rank(warp);
    if (lane < 16) muster::branch(warp, lane < 8, [&](auto) { out[lane] = 1; });
    else out[lane] = muster::ballot(warp, lane == 20).count();
  }
};
struct two_branches {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    int const lane = muster::thread_rank(warp);
    if (lane < 16) muster::branch(warp, lane < 8, [&](auto) { out[lane] = 1; });
    else muster::branch(warp, lane < 24, [&](auto) { out[lane] = 2; });
  }
};
struct branch_and_loop {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    int const lane = muster::thread_rank(warp);
    int trips = 0;
    if (lane < 16) muster::branch(warp, true, [&](auto) { out[lane] = 1; });
    else muster::loop_while(warp, [&](auto) { return trips < 1; }, [&](auto) { out[lane] = ++trips; });
  }
};
struct one_branch_at_two_lines {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    int const lane = muster::thread_rank(warp);
    auto const body = [&](auto some) { out[lane] = muster::reduce(some, 1, muster::plus{}); };
    if (lane < 16) muster::branch(warp, lane < 8, body);
    else muster::branch(warp, lane < 24, body);
  }
};

// a + b + more · a · b: for every `more` a monoid.
struct sum_and {
  static constexpr bool is_commutative = true, commutes_bitwise = true;
  int more;
  template <class T>
  MUSTER_FN T operator()(T a, T b) const {
    return a + b + static_cast<T>(more) * a * b;
  }
  template <class T>
  MUSTER_FN static T identity() {
    return T(0);
  }
};
struct state_that_differs {
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    out[muster::thread_rank(block)] = muster::reduce(warp, 1.0f, sum_and{muster::thread_rank(warp) / 8}).value() > 99.0f ? 1 : 0;
  }
};
// A policy that hands the sum to the first member alone.
struct lazy_policy {
  static constexpr char const* name() { return "lazy"; }
  template <class Op, class T, class Group>
  static consteval bool supports() {
    return true;
  }
  template <class Group, class T, class Op>
  MUSTER_FN static T reduce(Group g, T const& v, Op const& op, muster::site where) {
    T const sum = muster::policy::shuffle_policy::reduce(g, v, op, where);
    return muster::thread_rank(g) == 0 ? sum : v;
  }
};
struct policy_that_hands_on_too_little {
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const tile = muster::tiled_partition<8>(muster::this_warp(block));
    out[muster::thread_rank(block)] = static_cast<int>(muster::reduce(lazy_policy{}, tile, 1.0f, muster::plus{}).value());
  }
};
struct folds_of_ones_own {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    int const lane = muster::thread_rank(warp);
    out[lane] = muster::reduce(warp, lane % 8 == 5 ? 1 : 0, sum_and{3});
    float const nothing = lane % 5 == 0 ? muster::numeric<float>::nan() : -muster::numeric<float>::nan();
    out[lane] += static_cast<int>(muster::reduce(warp, nothing, sum_and{0}).value() > 0.0f);
    // The same function at two lines is one.
    if (lane < 16) out[lane] += muster::reduce(warp, 1, muster::plus{});
    else out[lane] += muster::reduce(warp, 2, muster::plus{});
  }
};

template <class Kernel>
void expect_two_calls(Kernel const& kernel) {
  for (schedule const order : all_schedules) {
    auto const found = findings_of(kernel, muster::block_dims<32>{}, order, 42);
    REQUIRE_FALSE(found.empty());
    INFO(found[0].text);
    CHECK(found[0].kind == finding_kind::different_operation);
    CHECK(found[0].text.find("another algorithm, operator, type or policy") != std::string::npos);
  }
}

TEST_CASE("lanes in two algorithms with the same instructions are reported") {
  expect_two_calls(two_operators{});
  expect_two_calls(two_types{});
  expect_two_calls(two_algorithms{});
}
TEST_CASE("a branch that others meet in a vote, a loop or another branch is reported") {
  expect_two_calls(branch_and_ballot{});
  expect_two_calls(two_branches{});
  expect_two_calls(branch_and_loop{});
  expect_quiet<one_branch_at_two_lines>();
}
TEST_CASE("a fold whose operator or policy does not give all members the same is reported") {
  expect_finding(state_that_differs{}, finding_kind::not_uniform, state_that_differs::line);
  expect_finding(policy_that_hands_on_too_little{}, finding_kind::not_uniform, policy_that_hands_on_too_little::line);
}
TEST_CASE("folds with an operator of one's own are quiet") { expect_quiet<folds_of_ones_own>(); }

TEST_CASE("the outer token used inside a body is reported") { expect_finding(outer_token_in_a_body{}, finding_kind::outside_scope, outer_token_in_a_body::line); }
TEST_CASE("a native if around a call is reported") { expect_finding(native_if_around_a_call{}, finding_kind::absent_lanes, native_if_around_a_call::line); }
TEST_CASE("a native loop that lanes leave at different times is reported") {
  expect_finding(native_loop_with_two_trip_counts{}, finding_kind::absent_lanes, native_loop_with_two_trip_counts::line);
}
TEST_CASE("a rank beyond the tile is reported") { expect_finding(rank_beyond_the_tile{}, finding_kind::rank_out_of_range, rank_beyond_the_tile::line); }
TEST_CASE("a set of ranks asked for one that the tile does not have is reported") {
  expect_finding(set_asked_for_a_rank_beyond_the_tile{}, finding_kind::rank_out_of_range, set_asked_for_a_rank_beyond_the_tile::line);
  expect_finding(set_asked_for_a_negative_rank{}, finding_kind::rank_out_of_range, set_asked_for_a_negative_rank::line);
  for (int const lane_count : {32, 20})
    expect_finding(set_asked_below_its_end{}, finding_kind::rank_out_of_range, set_asked_below_its_end::line, lane_count);
  expect_finding(set_of_a_vote_asked_for_more_ranks_than_it_has{}, finding_kind::rank_out_of_range, set_of_a_vote_asked_for_more_ranks_than_it_has::line);
}
TEST_CASE("a value that is not as uniform as stated is reported") { expect_finding(stated_uniform_and_is_not{}, finding_kind::not_uniform, stated_uniform_and_is_not::line); }
TEST_CASE("a block barrier in a body is reported") { expect_finding(barrier_in_a_body{}, finding_kind::outside_scope, barrier_in_a_body::line); }
TEST_CASE("a block barrier that half a warp reaches is reported") {
  for (schedule const order : all_schedules) {
    auto const found = findings_of(half_the_block_at_the_barrier{}, muster::dynamic_block_dims{32}, order, 42);
    REQUIRE_FALSE(found.empty());
    INFO(found[0].text);
    CHECK((found[0].kind == finding_kind::absent_lanes || found[0].kind == finding_kind::barrier_divergence));
  }
}

TEST_CASE("without a place for findings the first one is thrown") {
  muster::buffer<int> out(muster::on_emulator(), 64);
  CHECK_THROWS_AS(muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<32>{}, native_if_around_a_call{}, out.data()), muster::emulator::emulation_error);
}

}  // namespace misuse
