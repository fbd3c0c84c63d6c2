// Blocks that do not wait for each other as the others expect, or reach for what has ended: the emulator reports it, with its line.
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <muster/buffer.hpp>
#include <muster/core/block_company.hpp>
#include <muster/launch.hpp>
#include <muster/muster.hpp>

// Named: nvcc 13.0 cannot tell apart kernel types of an unnamed namespace in some translation units.
namespace cluster_misuse {

using muster::emulator::finding;
using muster::emulator::finding_kind;
using muster::emulator::schedule;

constexpr unsigned blocks = 4;
constexpr int threads = 48;

struct two_numbers {
  int first, second;
};

struct one_block_leaves_the_cluster {
  static constexpr int line = __LINE__ + 4;
  MUSTER_FN void operator()(auto block, int*) const {
    auto const cluster = muster::this_cluster(block);
    if (muster::block_rank(cluster) == 2u) return;
    muster::sync(cluster);
  }
};
struct one_block_waits_elsewhere {
  static constexpr int line = __LINE__ + 6;
  MUSTER_FN void operator()(auto block, int*) const {
    auto const cluster = muster::this_cluster(block);
    if (muster::block_rank(cluster) == 2u && muster::thread_rank(block) >= 32)
      muster::sync(block);
    else
      muster::sync(cluster);
  }
};
struct barrier_in_a_scope {
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, int*) const {
    auto const cluster = muster::this_cluster(block);
    muster::only_warp<0>(block, [&](auto) { muster::sync(cluster); });
  }
};
struct reads_a_block_that_ended {
  using shared = two_numbers;
  static constexpr int line = __LINE__ + 6;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const cluster = muster::this_cluster(block);
    muster::sync(cluster);
    if (muster::block_rank(cluster) != 0u) return;
    muster::sync(cluster);  // which all others have left
    out[muster::thread_rank(block)] = muster::shared_of(cluster, s.first, 3);
  }
};
struct reads_a_block_that_need_not_have_begun {
  using shared = two_numbers;
  static constexpr int line = __LINE__ + 4;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const cluster = muster::this_cluster(block);
    muster::shared_of(cluster, s.second, muster::block_rank(cluster)) = 2;
    out[muster::thread_rank(block)] = muster::shared_of(cluster, s.first, 3 - muster::block_rank(cluster));
    muster::sync(cluster);
    out[muster::thread_rank(block)] = muster::shared_of(cluster, s.first, 3 - muster::block_rank(cluster));
    muster::sync(cluster);
  }
};
struct rank_beyond_the_cluster {
  using shared = two_numbers;
  static constexpr int line = __LINE__ + 4;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const cluster = muster::this_cluster(block);
    muster::sync(cluster);
    out[muster::thread_rank(block)] = muster::shared_of(cluster, s.first, 4);
    muster::sync(cluster);
  }
};
struct one_thread_leaves_the_grid {
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, int*) const {
    if (muster::block_rank(block) == 1u && muster::thread_rank(block) == 40) return;
    muster::sync(muster::this_grid(block));
  }
};
struct one_block_waits_for_itself_in_the_grid {
  static constexpr int line = __LINE__ + 5;
  MUSTER_FN void operator()(auto block, int*) const {
    if (muster::block_rank(block) == 1u && muster::thread_rank(block) == 0) {
      muster::sync(block);
    } else {
      muster::sync(muster::this_grid(block));
    }
  }
};

// --- algorithms ---

using meeting_place = muster::cluster_storage<int, muster::cluster_dims<blocks>, muster::block_dims<threads>>;
struct two_places {
  meeting_place first, second;
};

struct other_operator_in_one_block {
  using shared = two_places;
  static constexpr int line = __LINE__ + 5;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const cluster = muster::this_cluster(block);
    int& result = out[muster::thread_rank(block)];
    if (muster::block_rank(cluster) == 1u)
      result = muster::reduce(cluster, s.first, 1, muster::plus{});
    else
      result = muster::reduce(cluster, s.first, 1, muster::maximum{});
  }
};
struct other_storage_in_one_block {
  using shared = two_places;
  static constexpr int line = __LINE__ + 4;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const cluster = muster::this_cluster(block);
    auto& place = muster::block_rank(cluster) == 1u ? s.second : s.first;
    out[muster::thread_rank(block)] = muster::broadcast(cluster, place, 1, 7);
  }
};
struct other_teller_in_one_block {
  using shared = two_places;
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const cluster = muster::this_cluster(block);
    out[muster::thread_rank(block)] = muster::broadcast(cluster, s.first, 1, muster::block_rank(cluster) == 1u ? 8 : 7);
  }
};
struct other_holder_in_one_block {
  using shared = two_places;
  static constexpr int line = __LINE__ + 4;
  MUSTER_FN void operator()(auto block, shared& s, int*) const {
    auto const cluster = muster::this_cluster(block);
    if (muster::block_rank(cluster) == 1u)
      (void)muster::reduce_to<8>(cluster, s.first, 1, muster::plus{});
    else
      (void)muster::reduce_to<7>(cluster, s.first, 1, muster::plus{});
  }
};
struct one_block_is_absent {
  using shared = two_places;
  static constexpr int line = __LINE__ + 4;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const cluster = muster::this_cluster(block);
    if (muster::block_rank(cluster) == 1u) return;
    out[muster::thread_rank(block)] = muster::reduce(cluster, s.first, 1, muster::plus{});
  }
};
struct copy_of_the_storage_in_one_block {
  using shared = two_places;
  static constexpr int line = __LINE__ + 5;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const cluster = muster::this_cluster(block);
    auto copy = s.first;
    auto& place = muster::block_rank(cluster) == 1u ? copy : s.first;
    out[muster::thread_rank(block)] = muster::broadcast(cluster, place, 1, 7);
  }
};
struct algorithm_in_a_scope {
  using shared = two_places;
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const cluster = muster::this_cluster(block);
    muster::only_warp<0>(block, [&](auto) { out[muster::thread_rank(block)] = muster::broadcast<0>(cluster, s.first, 1); });
  }
};
struct storage_off_its_alignment {
  struct shared {
    meeting_place right;
    alignas(16) unsigned char bytes[sizeof(meeting_place) + 16];
  };
  static constexpr int line = __LINE__ + 5;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const cluster = muster::this_cluster(block);
    auto& elsewhere = *reinterpret_cast<meeting_place*>(s.bytes + 8);
    auto& place = muster::block_rank(cluster) == 1u ? elsewhere : s.right;
    out[muster::thread_rank(block)] = muster::reduce(cluster, place, 1, muster::plus{});
  }
};
// a + b + more · a · b: for every `more` a monoid. Wraps.
struct sum_and {
  static constexpr bool is_commutative = true;
  int more;
  MUSTER_FN int operator()(int a, int b) const {
    return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b) + static_cast<unsigned>(more) * static_cast<unsigned>(a) * static_cast<unsigned>(b));
  }
  template <class T>
  MUSTER_FN static T identity() {
    return T(0);
  }
};
struct state_that_differs_between_blocks {
  using shared = two_places;
  static constexpr int line = __LINE__ + 4;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const cluster = muster::this_cluster(block);
    int const more = static_cast<int>(muster::block_rank(cluster).value());
    out[muster::thread_rank(block)] = muster::reduce(cluster, s.first, 1, sum_and{more});
  }
};
struct right_use {
  using shared = two_places;
  static constexpr int line = 0;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const cluster = muster::this_cluster(block);
    int const sum = muster::reduce(cluster, s.first, 1, muster::plus{});
    int const told = muster::broadcast(cluster, s.second, sum, 191);
    int scanned = muster::inclusive_scan(cluster, s.first, told, muster::plus{});
    for (int i = 0; i < 3; ++i) scanned += muster::reduce(cluster, s.first, muster::thread_rank(cluster), sum_and{0});
    if (muster::block_rank(block) == 0u) out[muster::thread_rank(block)] = scanned;
  }
};

using company = muster::block_company;

template <company Company, class Kernel>
std::vector<finding> findings_of(schedule order) {
  std::vector<finding> found;
  muster::emulator::options options;
  options.seed = 42;
  options.order = order;
  options.findings = &found;
  muster::buffer<int> out(muster::on_emulator(), threads);
  muster::block_dims<threads> const dims;
  if constexpr (Company == company::cluster)
    muster::launch(muster::on_emulator(options), muster::grid_dims(2 * blocks), muster::cluster_dims<blocks>{}, dims, Kernel{}, out.data());
  else
    muster::launch(muster::on_emulator(options), muster::cooperative, muster::grid_dims(blocks), dims, Kernel{}, out.data());
  return found;
}

// In every schedule: this kind, at Kernel::line, of this block, and in its text these words; besides only notes, or findings of the same
// kind, or of one that follows from it.
template <company Company, class Kernel>
void expect(finding_kind kind, muster::extent block, char const* words, finding_kind follows = finding_kind::relies_on_exit) {
  for (schedule const order : {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep}) {
    bool seen = false;
    INFO("schedule " << static_cast<int>(order) << ", looked for " << muster::emulator::name_of(kind));
    for (auto const& one : findings_of<Company, Kernel>(order)) {
      INFO(one.text);
      CHECK((one.is_note || one.kind == kind || one.kind == follows));
      if (one.kind != kind || one.where.line != Kernel::line || !(one.block == block)) continue;
      seen = true;
      CHECK(std::string(one.where.file).ends_with("misuse.cpp"));
      CHECK(one.text.find(words) != std::string::npos);
      CHECK(one.text.find("seed=42") != std::string::npos);
    }
    CHECK(seen);
  }
}

TEST_CASE("a block that leaves before a cluster barrier is noted, as it is legal") {
  expect<company::cluster, one_block_leaves_the_cluster>(finding_kind::relies_on_exit, {2, 0, 0},
                                                         "48 of 192 threads of the cluster exited before");
}

TEST_CASE("a cluster barrier that some threads cannot reach is reported") {
  expect<company::cluster, one_block_waits_elsewhere>(finding_kind::barrier_divergence, {2, 0, 0}, "of the cluster wait at its barrier");
  expect<company::cluster, one_block_waits_elsewhere>(finding_kind::barrier_divergence, {6, 0, 0}, "lanes 0-15: wait at the block barrier");
}

TEST_CASE("a cluster barrier in a narrowed scope is reported") {
  expect<company::cluster, barrier_in_a_scope>(finding_kind::outside_scope, {5, 0, 0}, "cluster barrier");
}

TEST_CASE("the shared memory of a block that has ended, and of one that the cluster does not have, is out of reach") {
  expect<company::cluster, reads_a_block_that_ended>(finding_kind::reads_exited_lane, {0, 0, 0}, "block (3,0,0), which has ended");
  expect<company::cluster, reads_a_block_that_need_not_have_begun>(finding_kind::reads_exited_lane, {1, 0, 0}, "block (2,0,0), which need not have begun");
  expect<company::cluster, rank_beyond_the_cluster>(finding_kind::rank_out_of_range, {7, 0, 0}, "asks for rank 4");
}

TEST_CASE("a grid barrier that a thread has left, or cannot reach, is reported: a GPU waits for ever") {
  expect<company::grid, one_thread_leaves_the_grid>(finding_kind::barrier_divergence, {1, 0, 0},
                                                    "1 of 192 threads of the grid exited before and will not come");
  expect<company::grid, one_block_waits_for_itself_in_the_grid>(finding_kind::barrier_divergence, {1, 0, 0},
                                                                "191 of 192 threads of the grid wait at its barrier");
}

TEST_CASE("blocks of a cluster that are in different calls of its algorithms are reported") {
  for (schedule const order : {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep}) {
    auto const is_reported = [&](auto kernel) {
      bool seen = false;
      for (auto const& one : findings_of<company::cluster, decltype(kernel)>(order)) {
        INFO(one.text);
        CHECK((one.kind == finding_kind::different_operation || one.kind == finding_kind::barrier_divergence));
        seen =
            seen || (one.kind == finding_kind::different_operation && one.where.line >= kernel.line && one.where.line <= kernel.line + 2);
      }
      return seen;
    };
    INFO("schedule " << static_cast<int>(order));
    CHECK(is_reported(other_operator_in_one_block{}));
    CHECK(is_reported(other_storage_in_one_block{}));
    CHECK(is_reported(other_teller_in_one_block{}));
    CHECK(is_reported(other_holder_in_one_block{}));
  }
}

TEST_CASE("a cluster's algorithm that a block has left, or that stands in a narrowed scope, is reported") {
  expect<company::cluster, one_block_is_absent>(finding_kind::reads_exited_lane, {1, 0, 0}, "Their values are missing");
  expect<company::cluster, algorithm_in_a_scope>(finding_kind::outside_scope, {0, 0, 0}, "cluster", finding_kind::reads_exited_lane);
}

TEST_CASE("a cluster's storage that does not lie in a block's shared memory is reported") {
  expect<company::cluster, copy_of_the_storage_in_one_block>(finding_kind::storage_not_shared, {1, 0, 0}, "the storage is a local object",
                                                             finding_kind::reads_exited_lane);
  expect<company::cluster, storage_off_its_alignment>(finding_kind::storage_not_shared, {1, 0, 0}, "multiple of 16 bytes", finding_kind::reads_exited_lane);
}

TEST_CASE("a fold whose operator does not give all threads of the cluster the same is reported") {
  for (schedule const order : {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep}) {
    auto const found = findings_of<company::cluster, state_that_differs_between_blocks>(order);
    CHECK(found.size() >= 2 * (blocks - 1));
    for (auto const& one : found) {
      INFO(one.text);
      CHECK(one.kind == finding_kind::not_uniform);
      CHECK(one.where.line == state_that_differs_between_blocks::line);
    }
  }
}

TEST_CASE("a cluster's algorithms that every thread calls are not reported") {
  for (schedule const order : {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep})
    CHECK(findings_of<company::cluster, right_use>(order).empty());
}

struct throws_in_one_block {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const cluster = muster::this_cluster(block);
    muster::sync(cluster);
#if !MUSTER_ON_DEVICE
    if (muster::block_rank(block) == 5u && muster::thread_rank(block) == 7) muster::emulator::fail("out of luck", muster::site::here());
#endif
    muster::sync(cluster);
    out[0] = 1;
  }
};

TEST_CASE("an exception in one block ends its cluster, and the launch throws it with its coordinates") {
  for (schedule const order : {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep}) {
    std::string text;
    try {
      findings_of<company::cluster, throws_in_one_block>(order);
    } catch (muster::emulator::kernel_error const& thrown) {
      text = thrown.what();
    }
    INFO(text);
    CHECK(text.find("thread (7,0,0) of block (5,0,0)") != std::string::npos);
    CHECK(text.find("out of luck") != std::string::npos);
  }
}

struct object_outside_shared_memory {
  MUSTER_FN void operator()(auto block, int* out) const {
    int own = 0;
    auto const cluster = muster::this_cluster(block);
    muster::sync(cluster);
    out[0] = muster::shared_of(cluster, own, 1);
    muster::sync(cluster);
  }
};

TEST_CASE("what does not lie in shared memory has no counterpart in other blocks") {
  CHECK_THROWS_MATCHES((findings_of<company::cluster, object_outside_shared_memory>(schedule::random)), muster::emulator::kernel_error,
                       Catch::Matchers::MessageMatches(Catch::Matchers::ContainsSubstring("own does not lie in the block's shared memory")));
}

}  // namespace cluster_misuse
