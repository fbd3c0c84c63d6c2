// Uniform values: arithmetic among them, what they decide, and bodies that return early or stand in each other.
#include <type_traits>
#include <vector>

#include <muster/muster.hpp>

#include "support/narrowing_cases.hpp"

// Named: nvcc 13.0 cannot tell apart kernel types of an unnamed namespace in some translation units.
namespace uniform_values {

using namespace test;

// Arithmetic, comparison and logic of uniforms of one group, of constants and of the block stay uniform; with a plain value they are plain.
struct arithmetic {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const tile = muster::tiled_partition<8>(muster::this_warp(block));
    using group = std::remove_const_t<decltype(tile)>;
    int const thread = muster::thread_rank(block);
    auto const sum = muster::reduce(tile, thread, muster::plus{});
    auto const first = muster::broadcast<0>(tile, thread);
    auto const mixed = (sum - first * muster::num_threads(tile)) / muster::constant<2>{} % muster::constant<100>{} + muster::block_rank(block);
    static_assert(std::is_same_v<std::remove_const_t<decltype(mixed)>, muster::uniform<unsigned, group>>);
    auto const decided = (first == muster::constant<8>{} || first > sum) && !(sum < first);
    static_assert(std::is_same_v<std::remove_const_t<decltype(decided)>, muster::uniform<bool, group>>);
    auto const negative = -first;
    static_assert(std::is_same_v<decltype(first + thread), int>);
    int taken = 0;
    muster::branch(tile, decided, muster::with(taken), [](auto tile, int& taken) { taken = muster::reduce(tile, 1, muster::plus{}); });
    out[4 * thread] = static_cast<int>(mixed);
    out[4 * thread + 1] = taken;
    out[4 * thread + 2] = negative;
    out[4 * thread + 3] = first + thread;
  }
};

// A condition of the block leaves every tile's token as it is; one of a whole warp decides a native `if`.
struct decided_together {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    auto const tile = muster::tiled_partition<4>(warp);
    int const thread = muster::thread_rank(block);
    int value = -1;
    muster::branch(
        tile, muster::block_rank(block) == muster::constant<1>{},
        [&](auto same) {
          static_assert(std::is_same_v<decltype(same), std::remove_const_t<decltype(tile)>>);
          value = muster::reduce(same, thread, muster::plus{});
        },
        [&](auto same) {
          static_assert(std::is_same_v<decltype(same), std::remove_const_t<decltype(tile)>>);
          value = 500 + muster::reduce(same, 1, muster::plus{});
        });
    if (muster::any(warp, thread == 40)) value += muster::reduce(warp, 1000, muster::plus{});
    out[static_cast<int>(muster::block_rank(block)) * muster::num_threads(block) + thread] = value;
  }
};

// Eight lanes as part of a warp, and as a tile of eight: the same members. So are a warp and its tile of 32, and what narrows it to all of it.
struct same_members {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    int const thread = muster::thread_rank(block);
    int seen = 0;
    muster::only<muster::lane_set{0x0000ff00}>(warp, [&](auto part) {
      auto const tile = muster::tiled_partition<8>(part);
      muster::uniform<int, std::remove_const_t<decltype(tile)>> const sum = muster::reduce(part, thread, muster::plus{});
      auto const both = sum + muster::broadcast<0>(part, 1) + muster::reduce(tile, 10, muster::plus{});
      static_assert(std::is_same_v<std::remove_const_t<decltype(both)>, muster::uniform<int, std::remove_const_t<decltype(tile)>>>);
      muster::branch(tile, muster::any(part, thread % 32 == 9), [&](auto same) { seen = both + muster::reduce(same, 1000, muster::plus{}); });
    });
    auto const whole = muster::tiled_partition<32>(warp);
    muster::only<muster::all_lanes>(warp, [&](auto all) {
      muster::uniform<int, std::remove_const_t<decltype(whole)>> const sum = muster::reduce(all, 1, muster::plus{});
      muster::branch(whole, sum == muster::broadcast<0>(warp, 32), [&](auto same) { seen += muster::reduce(same, 1, muster::plus{}); });
    });
    out[thread] = seen;
  }
};

// A signed and an unsigned uniform compare as numbers.
struct signs {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    auto const minus_one = muster::broadcast<0>(warp, -1);
    auto const one = muster::broadcast<0>(warp, 1u);
    auto const large = muster::broadcast<0>(warp, 0xffffffffu);
    int bits = 0, bit = 0;
    auto const note = [&](bool holds) { bits |= (holds ? 1 : 0) << bit++; };
    note(minus_one < one);
    note(one > minus_one);
    note(minus_one <= one);
    note(one >= minus_one);
    note(minus_one != large);
    note(large > -1);
    note(one == 1);
    note(1 <= one);
    note(!(minus_one == large));
    note(!(large < minus_one));
    note(!(large <= minus_one));
    note(!(minus_one > one));
    note(!(one != muster::constant<1>{}));
    note(muster::block_rank(block) == 0);
    note(muster::block_rank(block) < muster::num_blocks(block));
    note(muster::broadcast<0>(warp, 1.5f) > one);
    out[muster::thread_rank(block)] = bits;
  }
};

enum class turn { left, right };

// A number of one group decides a `switch` and a condition, and serves every operator that numbers have; one of several tiles serves the operators.
struct decides_a_switch {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    auto const tile = muster::tiled_partition<8>(warp);
    int const thread = muster::thread_rank(block);
    int seen = 0;
    switch (muster::broadcast<3>(warp, thread)) {
      case 3: seen = muster::reduce(warp, 1, muster::plus{}); break;
      case 35: seen = muster::reduce(warp, 2, muster::plus{}); break;
      default: seen = -1;
    }
    switch (muster::broadcast<0>(warp, thread < 32 ? turn::left : turn::right)) {
      case turn::left: seen += 1000; break;
      case turn::right: seen += 2000; break;
    }
    auto const warps = muster::warp_rank(block);
    if (muster::broadcast<0>(warp, warps & 1)) seen += 10000;
    if (!muster::broadcast<0>(warp, thread / 64)) seen += 20000;
    if (auto const count = muster::reduce(warp, 0, muster::plus{})) seen += 40000 * count;
    int const table[8] = {7, 6, 5, 4, 3, 2, 1, 0};
    auto const first = muster::broadcast<0>(tile, thread / 8);
    out[2 * thread] = seen;
    out[2 * thread + 1] = table[first] + (first << 4) + (first & 1) + (~first) * 1000;
  }
};

// `return` ends the body and nothing else; bodies stand in bodies of every kind.
struct returns_and_nests {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const warp = muster::this_warp(block);
    int const thread = muster::thread_rank(block), lane = muster::thread_rank(warp);
    int seen = 0;
    muster::branch(warp, lane % 3 == 0, [&](auto third) {
      seen += 1;
      if (muster::num_threads(third) == 0) return;  // uniform, and never so
      muster::branch(third, lane >= 12, [&](auto upper) {
        seen += 10 * muster::num_threads(upper);
        muster::only_rank<0>(upper, [&](auto leader) {
          seen += 1000 * muster::reduce(leader, 1, muster::plus{});
          return;
        });
        if (lane == 30) return;
        seen += 100000;
      });
    });
    muster::only<muster::lane_set{0x00ffff00}>(warp, [&](auto middle) {
      muster::each_tile(muster::tiled_partition<8>(middle), [&](auto tile) {
        muster::branch(tile, muster::any(tile, lane == 8), [&](auto chosen) { seen += 1000000 * muster::num_threads(chosen); });
      });
    });
    out[thread] = seen + 100000000 * (muster::all(warp, true).value() ? 1 : 0);
  }
};

TEST_CASE("arithmetic keeps what is uniform uniform") {
  for_each_machine([](machine const& on) {
    std::vector<int> expected(256);
    for (int t = 0; t < 64; ++t) {
      int const first = t / 8 * 8;
      std::size_t const at = static_cast<std::size_t>(4 * t);
      expected[at] = 28 / 2 % 100;
      expected[at + 1] = first == 8 ? 8 : 0;
      expected[at + 2] = -first;
      expected[at + 3] = first + t;
    }
    check_same(on, "arithmetic", expected, results_of(on, 256, muster::block_dims<64>{}, arithmetic{}));
  });
}

TEST_CASE("what a block or a warp decides together needs no vote and no narrower group") {
  for_each_machine([](machine const& on) {
    std::vector<int> expected(128);
    for (int t = 0; t < 64; ++t) {
      int const warp_part = t >= 32 ? 32000 : 0;
      expected[static_cast<std::size_t>(t)] = 504 + warp_part;
      expected[static_cast<std::size_t>(64 + t)] = 4 * (t / 4 * 4) + 6 + warp_part;
    }
    auto out = on.memory(std::vector<int>(128, -9));
    on.run(muster::grid_dims(2), muster::block_dims<64>{}, decided_together{}, out.data());
    check_same(on, "decided together", expected, out.to_vector());
  });
}

TEST_CASE("a value of the same members by another width of tile is one of the group") {
  for_each_machine([](machine const& on) {
    std::vector<int> expected(64);
    for (int t = 0; t < 64; ++t) {
      int const lane = t % 32, first = t - lane + 8;
      expected[static_cast<std::size_t>(t)] = 32 + (lane >= 8 && lane < 16 ? 8 * first + 28 + 1 + 80 + 8000 : 0);
    }
    check_same(on, "same members", expected, results_of(on, 64, muster::block_dims<64>{}, same_members{}));
  });
}

TEST_CASE("uniforms of both signs compare as numbers") {
  for_each_machine([](machine const& on) {
    check_same(on, "signs", std::vector<int>(32, 0xffff), results_of(on, 32, muster::block_dims<32>{}, signs{}));
  });
}

TEST_CASE("a number of one group decides a switch and a condition") {
  for_each_machine([](machine const& on) {
    std::vector<int> expected(128);
    for (int t = 0; t < 64; ++t) {
      int const first = t / 8;
      expected[static_cast<std::size_t>(2 * t)] = (t < 32 ? 1032 : 12064) + 20000;
      expected[static_cast<std::size_t>(2 * t + 1)] = 7 - first + 16 * first + first % 2 - 1000 * (first + 1);
    }
    check_same(on, "switch", expected, results_of(on, 128, muster::block_dims<64>{}, decides_a_switch{}));
  });
}

TEST_CASE("a return ends its body, and bodies stand in bodies") {
  for_each_machine([](machine const& on) {
    std::vector<int> expected(64);
    for (int t = 0; t < 64; ++t) {
      int const lane = t % 32;
      int seen = 100000000;
      if (lane % 3 == 0) seen += 1;
      if (lane % 3 == 0 && lane >= 12) seen += 10 * 7 + (lane == 12 ? 1000 : 0) + (lane == 30 ? 0 : 100000);  // lanes 12, 15, ..., 30
      if (lane >= 8 && lane < 16) seen += 8000000;
      expected[static_cast<std::size_t>(t)] = seen;
    }
    check_same(on, "returns", expected, results_of(on, 64, muster::block_dims<64>{}, returns_and_nests{}));
  });
}

}  // namespace uniform_values
