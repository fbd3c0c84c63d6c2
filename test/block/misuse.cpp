// A block's algorithm that not every thread calls: the emulator reports it, with its line. And what a call says of a rank that the block does not have.
#include <string>
#include <type_traits>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include <muster/buffer.hpp>
#include <muster/launch.hpp>
#include <muster/muster.hpp>

// Named: nvcc 13.0 cannot tell apart kernel types of an unnamed namespace in some translation units.
namespace block_misuse {

using muster::emulator::finding;
using muster::emulator::schedule;
using shape = muster::block_dims<96>;

struct storage_of_ints {
  muster::block_storage<int, shape> meeting;
};

// Two warps, and an operator that need not commute: each folds for itself. Where one folds for all, nobody can have another result.
struct storage_for_two_warps {
  muster::block_storage<int, muster::block_dims<64>> meeting;
};
template <class Kernel>
inline constexpr bool has_two_warps = false;
template <class Kernel>
  requires requires { typename Kernel::shared; }
inline constexpr bool has_two_warps<Kernel> = std::is_same_v<typename Kernel::shared, storage_for_two_warps>;

template <class Kernel>
std::vector<finding> findings_of(Kernel const& kernel, schedule order) {
  std::vector<finding> found;
  muster::emulator::options options;
  options.seed = 42;
  options.order = order;
  options.findings = &found;
  muster::buffer<int> out(muster::on_emulator(), 96);
  using dims = std::conditional_t<has_two_warps<Kernel>, muster::block_dims<64>, shape>;
  muster::launch(muster::on_emulator(options), muster::grid_dims(1), dims{}, kernel, out.data());
  return found;
}

template <class Kernel>
void expect_finding(Kernel const& kernel, int line, char const* words = "") {
  for (schedule const order : {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep}) {
    bool seen = false;
    for (auto const& one : findings_of(kernel, order)) {
      INFO("schedule " << static_cast<int>(order) << ": " << one.text);
      if (one.is_note || one.where.line != line) continue;
      seen = true;
      CHECK(std::string(one.where.file).ends_with("misuse.cpp"));
      CHECK(one.text.find(words) != std::string::npos);
    }
    INFO("schedule " << static_cast<int>(order));
    CHECK(seen);
  }
}

struct in_a_body_of_one_warp {
  using shared = storage_of_ints;
  static constexpr int line = __LINE__ + 2;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    muster::only_warp<0>(block, [&](auto) { out[muster::thread_rank(block)] = muster::reduce(block, s.meeting, 1, muster::plus{}); });
  }
};
struct in_a_native_if {
  using shared = storage_of_ints;
  static constexpr int line = __LINE__ + 2;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    if (muster::thread_rank(block) % 2 == 0) out[muster::thread_rank(block)] = muster::inclusive_scan(block, s.meeting, 1, muster::plus{});
    else muster::sync(muster::this_warp(block));
  }
};
struct rank_beyond_the_block {
  using shared = storage_of_ints;
  static constexpr int line = __LINE__ + 2;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    out[muster::thread_rank(block)] = muster::broadcast(block, s.meeting, 1, 96);
  }
};
struct other_operator_in_the_first_warp {
  using shared = storage_of_ints;
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    int const thread = muster::thread_rank(block);
    out[thread] = thread < 32 ? muster::reduce(block, s.meeting, 1, muster::plus{}).value() : muster::reduce(block, s.meeting, 1, muster::maximum{}).value();
  }
};
struct other_algorithm_in_the_first_warp {
  using shared = storage_of_ints;
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    int const thread = muster::thread_rank(block);
    out[thread] = thread < 32 ? muster::broadcast(block, s.meeting, 1, 5).value() : muster::reduce(block, s.meeting, 1, muster::plus{}).value();
  }
};
struct rank_that_differs {
  using shared = storage_of_ints;
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    int const thread = muster::thread_rank(block);
    out[thread] = muster::broadcast(block, s.meeting, 1, thread / 32);
  }
};
struct after_some_have_left {
  using shared = storage_of_ints;
  static constexpr int line = __LINE__ + 4;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    int const thread = muster::thread_rank(block);
    if (thread >= 64) return;
    out[thread] = muster::reduce(block, s.meeting, 1, muster::plus{});
  }
};
// Warps part ways over it: each way has a call of its own.
struct in_both_arms_of_a_branch {
  using shared = storage_of_ints;
  static constexpr int line = __LINE__ + 5;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    int const thread = muster::thread_rank(block);
    int& result = out[thread];
    if (thread % 32 < 16)
      result = muster::reduce(block, s.meeting, 1, muster::plus{});
    else
      result = muster::reduce(block, s.meeting, 1, muster::plus{});
  }
};
// Storage that each thread has for itself, or that the launch did not place.
struct storage_of_a_thread {
  using shared = storage_of_ints;
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, shared&, int* out) const {
    decltype(shared::meeting) own;
    out[muster::thread_rank(block)] = muster::reduce(block, own, 1, muster::plus{});
  }
};
struct copy_of_the_storage {
  using shared = storage_of_ints;
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto copy = s.meeting;
    out[muster::thread_rank(block)] = muster::inclusive_scan(block, copy, 1, muster::plus{});
  }
};
struct storage_in_global_memory {
  using shared = storage_of_ints;
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, shared&, int* out) const {
    auto& elsewhere = *reinterpret_cast<decltype(shared::meeting)*>(out);
    out[0] = muster::broadcast(block, elsewhere, 1, 5);
  }
};
struct storage_off_its_alignment {
  struct shared {
    alignas(16) unsigned char bytes[sizeof(storage_of_ints) + 16];
  };
  static constexpr int line = __LINE__ + 3;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto& elsewhere = *reinterpret_cast<decltype(storage_of_ints::meeting)*>(s.bytes + 4);
    out[muster::thread_rank(block)] = muster::reduce(block, elsewhere, 1, muster::plus{});
  }
};
// a + b + more · a · b: for every `more` a monoid. Wraps.
struct sum_and {
  static constexpr bool is_commutative = false;
  int more;
  MUSTER_FN int operator()(int a, int b) const {
    return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b) + static_cast<unsigned>(more) * static_cast<unsigned>(a) * static_cast<unsigned>(b));
  }
  template <class T>
  MUSTER_FN static T identity() {
    return T(0);
  }
};
struct state_that_differs_between_warps {
  using shared = storage_for_two_warps;
  static constexpr int line = __LINE__ + 2;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    out[muster::thread_rank(block)] = muster::reduce(block, s.meeting, 1, sum_and{muster::warp_rank(block)});
  }
};
struct state_that_differs_at_last {
  using shared = storage_for_two_warps;
  static constexpr int line = __LINE__ + 5;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    int const thread = muster::thread_rank(block);
    int sum = 0;
    for (int i = 0; i < 5; ++i) {
      sum += muster::reduce(block, s.meeting, 1, sum_and{i == 4 ? thread % 2 : i});
    }
    out[thread] = sum;
  }
};
template <class Storage>
struct right_use {
  using shared = Storage;
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    int sum = muster::broadcast(block, s.meeting, 1, 63) + muster::reduce(block, s.meeting, 1, muster::plus{});
    for (int i = 0; i < 3; ++i) sum += muster::reduce(block, s.meeting, muster::thread_rank(block), sum_and{0});
    out[muster::thread_rank(block)] = sum;
  }
};

TEST_CASE("a block's algorithm in a narrowed scope is reported") { expect_finding(in_a_body_of_one_warp{}, in_a_body_of_one_warp::line); }

TEST_CASE("a block's algorithm that half of the threads call is reported") { expect_finding(in_a_native_if{}, in_a_native_if::line); }

TEST_CASE("warps that are in different calls of a block's algorithms are reported") {
  expect_finding(other_operator_in_the_first_warp{}, other_operator_in_the_first_warp::line);
  expect_finding(other_algorithm_in_the_first_warp{}, other_algorithm_in_the_first_warp::line);
  expect_finding(rank_that_differs{}, rank_that_differs::line);
}

TEST_CASE("a block's algorithm that lanes of one warp reach in two places is reported with both lines, though its values would meet") {
  int const first = in_both_arms_of_a_branch::line, second = first + 2;
  for (schedule const order : {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep}) {
    INFO("schedule " << static_cast<int>(order));
    auto const found = findings_of(in_both_arms_of_a_branch{}, order);
    CHECK_FALSE(found.empty());
    for (auto const& one : found) {
      INFO(one.text);
      CHECK((one.where.line == first || one.where.line == second));
      for (int const line : {first, second}) CHECK(one.text.find("misuse.cpp:" + std::to_string(line)) != std::string::npos);
      CHECK(one.text.find("of the same warp wait") != std::string::npos);
    }
  }
}

TEST_CASE("a block's algorithm whose other threads have exited is reported: it reads what they never wrote") {
  expect_finding(after_some_have_left{}, after_some_have_left::line);
}

TEST_CASE("storage outside the block's shared memory is reported") {
  expect_finding(storage_of_a_thread{}, storage_of_a_thread::line);
  expect_finding(copy_of_the_storage{}, copy_of_the_storage::line);
  expect_finding(storage_in_global_memory{}, storage_in_global_memory::line);
  expect_finding(storage_off_its_alignment{}, storage_off_its_alignment::line, "multiple of 16 bytes");
}

TEST_CASE("a fold whose operator does not give all threads of the block the same is reported") {
  expect_finding(state_that_differs_between_warps{}, state_that_differs_between_warps::line, "not_uniform");
  expect_finding(state_that_differs_at_last{}, state_that_differs_at_last::line, "not_uniform");
}

TEST_CASE("a broadcast from a rank that the block does not have is reported") { expect_finding(rank_beyond_the_block{}, rank_beyond_the_block::line); }

TEST_CASE("a block's algorithms that every thread calls are not reported") {
  for (schedule const order : {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep}) {
    CHECK(findings_of(right_use<storage_of_ints>{}, order).empty());
    CHECK(findings_of(right_use<storage_for_two_warps>{}, order).empty());
  }
}

}  // namespace block_misuse
