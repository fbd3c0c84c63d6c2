// Shapes in which real kernels went wrong, written with typed groups: each gives the right result on every machine.
#include <algorithm>
#include <vector>

#include <muster/atomic_ref.hpp>
#include <muster/muster.hpp>

#include "support/narrowing_cases.hpp"

// Named: nvcc 13.0 cannot tell apart kernel types of an unnamed namespace in some translation units.
namespace typed_cases {

using namespace test;

// A fold over as many members as there are: eleven negative values have a negative maximum (raw shuffles read lanes that do not exist and give 0).
struct maximum_of_eleven {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    out[muster::thread_rank(block)] = muster::reduce(warp, muster::thread_rank(block) - 13, muster::maximum{});
  }
};

// The partials of a block, summed by as many lanes as there are partials.
struct sum_of_partials {
  struct shared {
    int partial[32];
  };
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const warp = muster::this_warp(block);
    int const sum = muster::reduce(warp, 1, muster::plus{});
    muster::invoke_one(warp, [&] { s.partial[muster::warp_rank(block)] = sum; });
    muster::sync(block);
    muster::only_warp<0>(block, [&](auto warp) {
      int const lane = muster::thread_rank(warp);
      muster::branch(warp, lane < muster::num_warps(block), [&](auto partials) { out[lane] = muster::reduce(partials, s.partial[lane], muster::plus{}); });
    });
  }
};

// Half a warp reduces, then the block meets at a barrier.
struct half_then_barrier {
  MUSTER_FN void operator()(auto block, int* out) const {
    int v = muster::thread_rank(block);
    muster::only<muster::lane_set{0xffff}>(muster::this_warp(block), [&](auto half) { v = muster::reduce(half, v, muster::plus{}); });
    muster::sync(block);
    out[muster::thread_rank(block)] = v;
  }
};

// Neighbours through shared memory: sync orders the write before the read.
struct rotate_through_memory {
  struct shared {
    int value[32];
  };
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const warp = muster::this_warp(block);
    int const lane = muster::thread_rank(warp);
    s.value[lane] = lane;
    muster::sync(warp);
    out[lane] = s.value[(lane + 1) % 32];
  }
};

// One addition a warp: the leader adds, everybody gets its result.
struct slots_by_leader {
  MUSTER_FN void operator()(auto block, int* counter, int* out) const {
    auto const warp = muster::this_warp(block);
    int const base = muster::invoke_one_broadcast(warp, [&] { return muster::atomic_ref<int>(*counter).fetch_add(32); });
    out[muster::thread_rank(block)] = base + muster::thread_rank(warp);
  }
};

// Each warp's sum of ones, whatever its size.
struct ones_of_a_warp {
  MUSTER_FN void operator()(auto block, int* out) const { out[muster::thread_rank(block)] = muster::reduce(muster::this_warp(block), 1, muster::plus{}); }
};

// Eight lanes, of which four loop twice and four three times.
struct two_trip_counts {
  MUSTER_FN void operator()(auto block, int* out) const {
    int v = muster::thread_rank(block), left = v < 4 ? 2 : 3;
    muster::loop_while(
        muster::this_warp(block), [&](auto) { return left > 0; },
        [&](auto remaining) {
          v += muster::shuffle(remaining, v, muster::thread_rank(remaining) ^ 1);
          --left;
        });
    out[muster::thread_rank(block)] = v;
  }
};

// Counts even numbers below n; participation travels with the loop.
struct even_numbers {
  MUSTER_FN void operator()(auto block, int n, int* out) const {
    int i = muster::thread_rank(block), count = 0;
    muster::loop_while(
        muster::this_warp(block), [&](auto) { return i < n; },
        [&](auto remaining) {
          auto const even = muster::ballot(remaining, i % 2 == 0);
          if (even.first() == muster::thread_rank(remaining)) count += even.count();
          i += 64;
        });
    out[muster::thread_rank(block)] = count;
  }
};

// Segments of sixteen, read eight further down.
struct down_in_segments {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const tile = muster::tiled_partition<16>(muster::this_warp(block));
    out[muster::thread_rank(block)] = muster::shuffle_down<8>(tile, muster::thread_rank(block));
  }
};

TEST_CASE("a fold of eleven takes eleven") {
  for_each_machine([](machine const& on) {
    check_same(on, "static", std::vector<int>(11, -3), results_of(on, 11, muster::block_dims<11>{}, maximum_of_eleven{}));
    check_same(on, "ragged", std::vector<int>(11, -3), results_of(on, 11, muster::dynamic_block_dims{11}, maximum_of_eleven{}));
  });
}

TEST_CASE("a second stage takes the partials that there are") {
  for_each_machine([](machine const& on) {
    auto const total = [&](auto dims, std::size_t partials) {
      int const threads = static_cast<int>(dims.shape().volume());
      check_same(on, "total", std::vector<int>(partials, threads), results_of(on, partials, dims, sum_of_partials{}));
    };
    total(muster::block_dims<32>{}, 1);
    total(muster::block_dims<48>{}, 2);
    total(muster::block_dims<100>{}, 4);
    total(muster::block_dims<1024>{}, 32);
    total(muster::dynamic_block_dims{100}, 4);
  });
}

TEST_CASE("half a warp reduces and the block goes on") {
  for_each_machine([](machine const& on) {
    std::vector<int> expected(32, 120);
    for (int t = 16; t < 32; ++t) expected[static_cast<std::size_t>(t)] = t;
    check_same(on, "half", expected, results_of(on, 32, muster::block_dims<32>{}, half_then_barrier{}));
  });
}

TEST_CASE("sync orders memory among lanes") {
  for_each_machine([](machine const& on) {
    std::vector<int> expected(32);
    for (int t = 0; t < 32; ++t) expected[static_cast<std::size_t>(t)] = (t + 1) % 32;
    check_same(on, "rotation", expected, results_of(on, 32, muster::block_dims<32>{}, rotate_through_memory{}));
  });
}

TEST_CASE("a leader adds once for its warp") {
  for_each_machine([](machine const& on) {
    auto counter = on.memory(std::vector<int>(1, 0));
    auto out = on.memory(std::vector<int>(64, -1));
    on.run(muster::grid_dims(1), muster::block_dims<64>{}, slots_by_leader{}, counter.data(), out.data());
    INFO(on.name());
    CHECK(counter.to_vector()[0] == 64);
    std::vector<int> slots = out.to_vector();
    std::sort(slots.begin(), slots.end());
    for (int i = 0; i < 64; ++i) CHECK(slots[static_cast<std::size_t>(i)] == i);
  });
}

TEST_CASE("a ragged warp sums its own lanes") {
  for_each_machine([](machine const& on) {
    for (unsigned threads : {48u, 45u, 33u}) {
      std::vector<int> expected(threads, 32);
      for (unsigned t = 32; t < threads; ++t) expected[t] = static_cast<int>(threads) - 32;
      check_same(on, "ones", expected, results_of(on, threads, muster::dynamic_block_dims{threads}, ones_of_a_warp{}));
    }
  });
}

TEST_CASE("lanes with different trip counts") {
  for_each_machine([](machine const& on) {
    std::vector<int> expected(8);
    for (int t = 0; t < 8; ++t) expected[static_cast<std::size_t>(t)] = t;
    for (int trip = 0; trip < 3; ++trip) {
      std::vector<int> const before = expected;
      for (int t = trip < 2 ? 0 : 4; t < 8; ++t) expected[static_cast<std::size_t>(t)] = before[static_cast<std::size_t>(t)] + before[static_cast<std::size_t>(t ^ 1)];
    }
    check_same(on, "trips", expected, results_of(on, 8, muster::block_dims<8>{}, two_trip_counts{}));
  });
}

TEST_CASE("counting in a loop that lanes leave is exact") {
  for_each_machine([](machine const& on) {
    int total = 0;
    for (int count : results_of(on, 64, muster::block_dims<64>{}, even_numbers{}, 75)) total += count;
    INFO(on.name());
    CHECK(total == 38);
  });
}

TEST_CASE("past the edge of a segment a lane keeps its own value") {
  for_each_machine([](machine const& on) {
    std::vector<int> expected(256);
    for (int t = 0; t < 256; ++t) expected[static_cast<std::size_t>(t)] = t % 16 < 8 ? t + 8 : t;
    check_same(on, "segments", expected, results_of(on, 256, muster::block_dims<256>{}, down_in_segments{}));
  });
}

}  // namespace typed_cases
