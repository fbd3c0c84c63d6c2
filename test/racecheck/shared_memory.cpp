// Accesses to shared memory that nothing orders are found under every schedule, and those that are ordered are let be.
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <muster/launch.hpp>
#include <muster/muster.hpp>

using Catch::Matchers::ContainsSubstring;
using muster::block_dims;
using muster::emulator::finding;
using muster::emulator::finding_kind;
using muster::emulator::schedule;

namespace {

template <class Block, class Kernel, class... Args>
std::vector<finding> findings_of(schedule order, std::uint64_t seed, Block block, Kernel kernel, Args... args) {
  std::vector<finding> found;
  muster::launch(muster::on_emulator({.seed = seed, .order = order, .findings = &found}), muster::grid_dims(2), block, kernel, args...);
  return found;
}

// Calls f(the findings) for each schedule.
template <class Block, class Kernel, class F>
void for_each_schedule(Block block, Kernel kernel, F const& f) {
  for (schedule const order : {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep})
    for (std::uint64_t const seed : {1, 2, 3}) {
      auto const found = findings_of(order, seed, block, kernel);
      std::string texts;
      for (finding const& each : found) texts += each.text;
      INFO(texts);
      f(found);
    }
}

template <class Block, class Kernel>
void expect_race(Block block, Kernel kernel, char const* text) {
  for_each_schedule(block, kernel, [&](std::vector<finding> const& found) {
    REQUIRE(!found.empty());
    for (finding const& each : found) {
      CHECK(each.kind == finding_kind::race);
      CHECK_THAT(each.where.file, ContainsSubstring("shared_memory.cpp"));
    }
    CHECK_THAT(found.front().text, ContainsSubstring(text) && ContainsSubstring("shared_memory.cpp:") && ContainsSubstring("nothing orders the two"));
  });
}

template <class Block, class Kernel>
void expect_clean(Block block, Kernel kernel) {
  for_each_schedule(block, kernel, [](std::vector<finding> const& found) { CHECK(found.empty()); });
}

// --- lanes of one warp ---

// Each lane takes what a neighbour left, which something orders or not.
enum class order_by { nothing, shuffle, sync_of_tile, sync_of_others, sync_of_warp, sync_of_block };

template <order_by By>
struct neighbours {
  struct shared {
    int values[64];
  };
  MUSTER_FN void operator()(auto block, shared& s) const {
    auto const warp = muster::this_warp(block);
    auto const tile = muster::tiled_partition<8>(warp);
    int const thread = muster::thread_rank(block);
    s.values[thread] = thread;
    if constexpr (By == order_by::shuffle) (void)muster::shuffle_xor<1>(tile, thread);
    if constexpr (By == order_by::sync_of_tile) muster::sync(tile);
    if constexpr (By == order_by::sync_of_others) muster::only<muster::lane_set::range(1, 31)>(warp, [](auto others) { muster::sync(others); });
    if constexpr (By == order_by::sync_of_warp) muster::sync(warp);
    if constexpr (By == order_by::sync_of_block) muster::sync(block);
    int const other = s.values[thread ^ 1];
    muster::sync(block);
    s.values[thread] = other;
  }
};

TEST_CASE("a lane that reads what its neighbour writes needs a sync of both between") {
  expect_race(block_dims<64>{}, neighbours<order_by::nothing>{}, "of 4 bytes of shared memory, from byte ");
  expect_race(block_dims<64>{}, neighbours<order_by::shuffle>{}, "shuffles and votes do not");
  expect_clean(block_dims<64>{}, neighbours<order_by::sync_of_tile>{});
  expect_clean(block_dims<64>{}, neighbours<order_by::sync_of_warp>{});
  expect_clean(block_dims<64>{}, neighbours<order_by::sync_of_block>{});
}

TEST_CASE("a sync orders its members alone") { expect_race(block_dims<64>{}, neighbours<order_by::sync_of_others>{}, "that both lanes are members of"); }

// Lane 0 writes, 1 hears of it from 0, and 2 from 1.
struct hearsay {
  struct shared {
    int value;
  };
  MUSTER_FN void operator()(auto block, shared& s) const {
    auto const warp = muster::this_warp(block);
    if (muster::thread_rank(warp) == 0) s.value = 1;
    muster::only<muster::lane_set{0b011}>(warp, [&](auto pair) { muster::sync(pair); });
    muster::only<muster::lane_set{0b110}>(warp, [&](auto pair) { muster::sync(pair); });
    if (muster::thread_rank(warp) == 2) s.value = 2;
  }
};
TEST_CASE("what a lane knows it tells at its next sync") { expect_clean(block_dims<32>{}, hearsay{}); }

// --- warps of a block ---

// Each warp leaves a value; the first reads them all; then every warp leaves another.
template <bool SyncBeforeRead, bool SyncAfterRead>
struct partials {
  struct shared {
    float of_warp[4];
  };
  MUSTER_FN void operator()(auto block, shared& s) const {
    auto const warp = muster::this_warp(block);
    int const own = muster::warp_rank(block);
    if (muster::thread_rank(warp) == 0) s.of_warp[own] = 1;
    if constexpr (SyncBeforeRead) muster::sync(block);
    else muster::sync(warp);
    float sum = 0;
    if (own == 0)
      for (float each : s.of_warp) sum += each;
    if constexpr (SyncAfterRead) muster::sync(block);
    if (muster::thread_rank(warp) == 0) s.of_warp[own] = sum;
  }
};

TEST_CASE("warps that meet in shared memory need a sync of the block between") {
  expect_race(block_dims<128>{}, partials<false, true>{}, "of warp ");
  expect_clean(block_dims<128>{}, partials<true, true>{});
}
TEST_CASE("memory that some still read is not to be written again without a sync") { expect_race(block_dims<128>{}, partials<true, false>{}, "came to the same bytes before"); }

// --- blocks of a cluster ---

enum class cluster_order { of_cluster, of_block_before_read, of_block_before_write };

// Each block hands a value to the next one, in that one's shared memory.
template <cluster_order Order>
struct handed_on {
  struct shared {
    int given;
  };
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const cluster = muster::this_cluster(block);
    int const rank = muster::block_rank(cluster);
    if (muster::thread_rank(block) == 0) s.given = -1;
    muster::sync(cluster);
    int& next = muster::shared_of(cluster, s.given, (rank + 1) % 4);
    if constexpr (Order == cluster_order::of_block_before_write) {
      if (muster::thread_rank(block) == 1) s.given = -2;
      muster::sync(block);
    }
    if (muster::thread_rank(block) == 0) next = rank;
    if constexpr (Order == cluster_order::of_block_before_read) muster::sync(block);
    else muster::sync(cluster);
    if (muster::thread_rank(block) == 5) out[muster::block_rank(block).value()] = s.given;
    muster::sync(cluster);
  }
};

template <cluster_order Order>
std::vector<finding> findings_of_cluster(schedule order, std::uint64_t seed) {
  std::vector<finding> found;
  int out[4];
  muster::launch(muster::on_emulator({.seed = seed, .order = order, .findings = &found}), muster::grid_dims(4), muster::cluster_dims<4>{}, block_dims<64>{}, handed_on<Order>{},
                 static_cast<int*>(out));
  return found;
}
TEST_CASE("blocks that meet in each other's shared memory need a sync of the cluster between") {
  for (schedule const order : {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep})
    for (std::uint64_t const seed : {1, 2, 3}) {
      CHECK(findings_of_cluster<cluster_order::of_cluster>(order, seed).empty());
      for (auto const& found : {findings_of_cluster<cluster_order::of_block_before_read>(order, seed), findings_of_cluster<cluster_order::of_block_before_write>(order, seed)}) {
        REQUIRE(!found.empty());
        CHECK(found.front().kind == finding_kind::race);
        CHECK_THAT(found.front().text, ContainsSubstring(" of block (") && ContainsSubstring("A sync of the cluster between the two does"));
      }
    }
}

// What stands between a write in one block and another one's read of it.
enum class between { reduce, reduce_to, broadcast, inclusive_scan, softmax, sync };

template <class Clusters, class Dims>
struct after_an_algorithm {
  struct shared {
    muster::cluster_storage<float, Clusters, Dims> meeting;
    float value;
  };
  MUSTER_FN void operator()(auto block, shared& s, between what, float* out) const {
    auto const cluster = muster::this_cluster(block);
    unsigned const rank = muster::block_rank(cluster).value();
    if (muster::thread_rank(block) == 0) s.value = 1;
    float result = 1;
    switch (what) {
      case between::reduce: result = muster::reduce(cluster, s.meeting, result, muster::plus{}); break;
      case between::reduce_to: (void)muster::reduce_to<0>(cluster, s.meeting, result, muster::plus{}); break;
      case between::broadcast: result = muster::broadcast(cluster, s.meeting, result, 1); break;
      case between::inclusive_scan: result = muster::inclusive_scan(cluster, s.meeting, result, muster::plus{}); break;
      case between::softmax: result = muster::softmax(cluster, s.meeting, result); break;
      case between::sync: muster::sync(cluster); break;
    }
    float const read = muster::shared_of(cluster, s.value, (rank + 1) % Clusters::count);
    muster::sync(cluster);
    out[muster::thread_rank(cluster)] = read + result;
  }
};

template <class Clusters, class Dims, class Kernel, class... Args>
std::vector<finding> findings_of_cluster(schedule order, Clusters clusters, Dims dims, Kernel kernel, Args... args) {
  std::vector<finding> found;
  std::vector<float> out(static_cast<std::size_t>(Clusters::count) * Dims::count);
  muster::launch(muster::on_emulator({.seed = 3, .order = order, .findings = &found}), muster::grid_dims(Clusters::count), clusters, dims, kernel, args..., out.data());
  return found;
}
TEST_CASE("algorithms of a cluster order the values that they exchange, and nothing else between its blocks") {
  using clusters = muster::cluster_dims<2>;
  using dims = block_dims<64>;
  for (schedule const order : {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep}) {
    CHECK(findings_of_cluster(order, clusters{}, dims{}, after_an_algorithm<clusters, dims>{}, between::sync).empty());
    for (between const what : {between::reduce, between::reduce_to, between::broadcast, between::inclusive_scan, between::softmax}) {
      auto const found = findings_of_cluster(order, clusters{}, dims{}, after_an_algorithm<clusters, dims>{}, what);
      INFO("schedule " << static_cast<int>(order) << ", algorithm " << static_cast<int>(what));
      REQUIRE(!found.empty());
      for (finding const& each : found) {
        CHECK(each.kind == finding_kind::race);
        CHECK_THAT(each.text, ContainsSubstring("of 4 bytes of shared memory of block (") && ContainsSubstring("A sync of the cluster between the two does"));
        CHECK_THAT(each.text, ContainsSubstring("nor does an algorithm of the cluster"));
      }
    }
  }
}

// A block waits for a flag of its neighbour's, tells all its threads by a sync, and another of them reads.
struct told_by_a_flag {
  struct shared {
    int value;
    int flag;
  };
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const cluster = muster::this_cluster(block);
    int const rank = muster::block_rank(cluster);
    if (muster::thread_rank(block) == 0) s.flag = 0;
    muster::sync(cluster);
    if (rank == 0 && muster::thread_rank(block) == 0) {
      muster::shared_of(cluster, s.value, 1) = 7;
      std::atomic_ref<int>(muster::shared_of(cluster, s.flag, 1)).store(1, std::memory_order_release);
    }
    if (rank == 1 && muster::thread_rank(block) == 0) {
      while (std::atomic_ref<int>(s.flag).load(std::memory_order_acquire) == 0) {
      }
    }
    muster::sync(block);
    if (rank == 1 && muster::thread_rank(block) == 37) out[0] = s.value;
    muster::sync(cluster);
  }
};
TEST_CASE("what one thread has acquired from another block, a sync of the block tells the others") {
  for (schedule const order : {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep}) {
    std::vector<finding> found;
    int out = 0;
    muster::launch(muster::on_emulator({.seed = 3, .order = order, .findings = &found}), muster::grid_dims(2), muster::cluster_dims<2>{}, block_dims<64>{}, told_by_a_flag{}, &out);
    CHECK(found.empty());
    CHECK(out == 7);
  }
}

// --- which bytes ---

struct own_bytes {
  struct shared {
    char of_thread[64];
  };
  MUSTER_FN void operator()(auto block, shared& s) const {
    char& mine = s.of_thread[muster::thread_rank(block)];
    mine = 1;
    mine = static_cast<char>(mine + 1);
  }
};
TEST_CASE("neighbouring bytes are not the same") { expect_clean(block_dims<64>{}, own_bytes{}); }

struct in_dynamic_memory {
  MUSTER_FN void operator()(auto block) const { *muster::dynamic_shared<int>(block) = 1; }
};
TEST_CASE("dynamic shared memory is watched too") {
  std::vector<finding> found;
  muster::launch(muster::on_emulator({.findings = &found}), muster::grid_dims(1), block_dims<32>{}, muster::dynamic_shared_size{64}, in_dynamic_memory{});
  REQUIRE(!found.empty());
  CHECK_THAT(found.front().text, ContainsSubstring("write of 4 bytes of dynamic shared memory, from byte 0"));
}

// --- atomic operations ---

template <bool PlainRead>
struct counted {
  struct shared {
    int count;
  };
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    if (muster::thread_rank(block) == 0) s.count = 0;
    muster::sync(block);
    muster::atomic_ref<int>(s.count).fetch_add(1);
    if constexpr (!PlainRead) muster::sync(block);
    int const seen = s.count;
    if (muster::thread_rank(block) == 0) out[muster::block_rank(block).value()] = seen;
  }
};
TEST_CASE("atomic operations do not race with each other, but with plain accesses") {
  int out[2] = {};
  for (schedule const order : {schedule::random, schedule::ascending}) {
    CHECK(findings_of(order, 1, block_dims<64>{}, counted<false>{}, static_cast<int*>(out)).empty());
    CHECK((out[0] == 64 && out[1] == 64));
    auto const found = findings_of(order, 1, block_dims<64>{}, counted<true>{}, static_cast<int*>(out));
    REQUIRE(!found.empty());
    CHECK_THAT(found.front().text, ContainsSubstring("atomic"));
  }
}

// --- the library's own ---

template <unsigned Threads>
struct block_algorithms {
  using dims = block_dims<Threads>;
  using shared = muster::block_storage<float, dims>;
  MUSTER_FN void operator()(auto block, shared& s, float* out) const {
    float v = static_cast<float>(muster::thread_rank(block));
    for (int i = 0; i < 3; ++i) {
      v += muster::reduce(block, s, v, muster::maximum{}).value();
      v = muster::inclusive_scan(block, s, v, muster::plus{});
      v = muster::softmax(block, s, v);
    }
    out[muster::block_rank(block).value() * Threads + static_cast<unsigned>(muster::thread_rank(block))] = v;
  }
};
template <unsigned Threads>
void expect_no_race_of_block_algorithms() {
  std::vector<float> out(2 * Threads);
  for (schedule const order : {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep})
    CHECK(findings_of(order, 5, block_dims<Threads>{}, block_algorithms<Threads>{}, out.data()).empty());
}
TEST_CASE("block algorithms one after the other with the same storage do not race") {
  expect_no_race_of_block_algorithms<100>();
  expect_no_race_of_block_algorithms<512>();  // by ways of larger blocks
}

template <class Clusters, class Dims>
struct cluster_algorithms {
  using shared = muster::cluster_storage<float, Clusters, Dims>;
  MUSTER_FN void operator()(auto block, shared& s, float* out) const {
    auto const cluster = muster::this_cluster(block);
    float v = static_cast<float>(muster::thread_rank(cluster));
    for (int i = 0; i < 3; ++i) {
      v += muster::reduce(cluster, s, v, muster::maximum{}).value();
      v = muster::inclusive_scan(cluster, s, v, muster::plus{});
      v += muster::broadcast(cluster, s, muster::reduce_to<0>(cluster, s, v, muster::minimum{})).value();
      v = muster::softmax(cluster, s, v);
      v = muster::softmax(cluster, s, v);
      v += muster::broadcast(cluster, s, v, 9).value();
    }
    out[muster::thread_rank(cluster)] = v;
  }
};
template <unsigned Blocks, unsigned Threads>
void expect_no_race_of_cluster_algorithms() {
  using clusters = muster::cluster_dims<Blocks>;
  using dims = block_dims<Threads>;
  for (schedule const order : {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep})
    CHECK(findings_of_cluster(order, clusters{}, dims{}, cluster_algorithms<clusters, dims>{}).empty());
}
TEST_CASE("cluster algorithms one after the other with the same storage do not race") {
  expect_no_race_of_cluster_algorithms<2, 32>();   // every thread folds for itself
  expect_no_race_of_cluster_algorithms<2, 100>();  // softmax sends what warps have
  expect_no_race_of_cluster_algorithms<4, 320>();  // and here what blocks have
}

TEST_CASE("a race that nobody collects is thrown") {
  try {
    muster::launch(muster::on_emulator(), muster::grid_dims(1), block_dims<64>{}, neighbours<order_by::nothing>{});
    FAIL("nothing was thrown");
  } catch (muster::emulator::emulation_error const& error) {
    CHECK(error.first.kind == finding_kind::race);
    CHECK_THAT(error.what(), ContainsSubstring("seed=") && ContainsSubstring("(race)"));
  }
}

}  // namespace
