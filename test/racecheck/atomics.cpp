// Atomic accesses, fences and volatile accesses to shared memory: what they order, what they do not, and loops that wait for them.
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include <muster/launch.hpp>
#include <muster/muster.hpp>

using muster::block_dims;
using muster::emulator::finding;
using muster::emulator::finding_kind;
using muster::emulator::schedule;

namespace {

template <class Dims, class Kernel>
void expect(bool race, Dims block, Kernel kernel) {
  for (schedule const order : {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep})
    for (std::uint64_t const seed : {1, 2, 3, 4, 5}) {
      std::vector<finding> found;
      std::vector<int> out(256, -1);
      muster::launch(muster::on_emulator({.seed = seed, .order = order, .findings = &found}), muster::grid_dims(1), block, kernel, out.data());
      std::string texts;
      for (finding const& each : found) texts += each.text;
      INFO("seed " << seed << ", order " << static_cast<int>(order) << "\n" << texts);
      CHECK(found.empty() == !race);
      for (finding const& each : found) CHECK(each.kind == finding_kind::race);
      if (!race) CHECK(out[0] == Kernel::expected);
    }
}

// Warp 1 hands a value to warp 0, which waits for a flag.
enum class flag_order { acquire_and_release, fences, volatile_and_fences, relaxed };

template <flag_order Order>
struct handed_over {
  static constexpr int expected = 42;
  struct shared {
    int value;
    int flag;
  };
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    int const thread = muster::thread_rank(block);
    if (thread == 0) s.flag = 0;
    muster::sync(block);
    if (thread == 32) {
      s.value = 42;
      if constexpr (Order == flag_order::fences || Order == flag_order::volatile_and_fences) std::atomic_thread_fence(std::memory_order_release);
      if constexpr (Order == flag_order::volatile_and_fences) static_cast<int volatile&>(s.flag) = 1;
      else std::atomic_ref<int>(s.flag).store(1, Order == flag_order::acquire_and_release ? std::memory_order_release : std::memory_order_relaxed);
    }
    if (thread == 0) {
      if constexpr (Order == flag_order::volatile_and_fences) {
        while (static_cast<int volatile&>(s.flag) == 0) {
        }
      } else {
        while (std::atomic_ref<int>(s.flag).load(Order == flag_order::acquire_and_release ? std::memory_order_acquire : std::memory_order_relaxed) == 0) {
        }
      }
      if constexpr (Order == flag_order::fences || Order == flag_order::volatile_and_fences) std::atomic_thread_fence(std::memory_order_acquire);
      out[0] = s.value;
    }
  }
};

TEST_CASE("a flag that is released and acquired orders what was written before it; a relaxed one does not, and waiting for either lets others run") {
  expect(false, block_dims<64>{}, handed_over<flag_order::acquire_and_release>{});
  expect(false, block_dims<64>{}, handed_over<flag_order::fences>{});
  expect(false, block_dims<64>{}, handed_over<flag_order::volatile_and_fences>{});
  expect(true, block_dims<64>{}, handed_over<flag_order::relaxed>{});
}

// Who comes first publishes its slot, and all others read it.
struct adopted {
  static constexpr int expected = 0;
  struct shared {
    int slot[64];
    int winner;
  };
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    int const thread = muster::thread_rank(block);
    if (thread == 0) s.winner = -1;
    muster::sync(block);
    s.slot[thread] = 1000 + thread;
    int first = -1;
    if (std::atomic_ref<int>(s.winner).compare_exchange_strong(first, thread, std::memory_order_release, std::memory_order_acquire)) first = thread;
    out[thread] = s.slot[first] - 1000 - first;
  }
};
TEST_CASE("a compare-and-exchange that fails orders as it says") { expect(false, block_dims<64>{}, adopted{}); }

struct never_exchanged {
  static constexpr int expected = 7;
  struct shared {
    int key;
  };
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    int const thread = muster::thread_rank(block);
    if (thread == 0) s.key = 7;
    muster::sync(block);
    int wrong = 3;
    std::atomic_ref<int>(s.key).compare_exchange_strong(wrong, 5);
    out[thread] = s.key;
  }
};
TEST_CASE("a compare-and-exchange that fails writes nothing") { expect(false, block_dims<64>{}, never_exchanged{}); }

// A lock by exchange: the loser's store leaves the object as it was.
struct locked {
  static constexpr int expected = 64;
  struct shared {
    int lock;
    int value;
  };
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    int const thread = muster::thread_rank(block);
    if (thread == 0) s.lock = s.value = 0;
    muster::sync(block);
    while (std::atomic_ref<int>(s.lock).exchange(1, std::memory_order_acquire) != 0) {
    }
    ++s.value;
    muster::emulator::yield();  // others come to the lock
    std::atomic_ref<int>(s.lock).store(0, std::memory_order_release);
    muster::sync(block);
    out[thread] = s.value;
  }
};
TEST_CASE("lanes that wait for a lock let its holder run") { expect(false, block_dims<64>{}, locked{}); }

// A counter that is set without a sync of the block before other warps count.
struct set_too_late {
  static constexpr int expected = 0;
  struct shared {
    int count;
  };
  MUSTER_FN void operator()(auto block, shared& s, int*) const {
    auto const warp = muster::this_warp(block);
    int v = muster::thread_rank(block);
    if (v == 0) s.count = 0;
    muster::sync(warp);
    if (muster::warp_rank(block) != 0)
      for (int i = 0; i < 20; ++i) v = muster::reduce(warp, v, muster::maximum{}).value();
    muster::atomic_ref<int>(s.count).fetch_add(v);
  }
};
TEST_CASE("many atomic operations do not hide the plain one that they race with") { expect(true, block_dims<256>{}, set_too_late{}); }

// Everyone reads; the first warp reads again, and writes when it alone has synchronised.
struct rewritten {
  static constexpr int expected = 0;
  struct shared {
    int total;
  };
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const warp = muster::this_warp(block);
    int const thread = muster::thread_rank(block);
    if (thread == 0) s.total = 1;
    muster::sync(block);
    int v = s.total;
    if (muster::warp_rank(block) == 0) {
      for (int i = 0; i < 20; ++i) v = muster::reduce(warp, v, muster::maximum{}).value();
      v += s.total;
      muster::sync(warp);
      if (thread == 0) s.total = v;
    }
    out[thread] = v;
  }
};
TEST_CASE("many reads do not hide the one that is raced with") { expect(true, block_dims<256>{}, rewritten{}); }

}  // namespace
