// atomic_ref: every operation of every type on both machines, contended by many blocks, and loops that wait for another lane.
#include "support.hpp"

#include <algorithm>

namespace atomic_ref_tests {

using namespace policy_test;
using muster::atomic_ref;

constexpr int blocks = 8, threads = 64, everyone = blocks * threads;
constexpr int times = 5000;  // so that blocks on several OS threads do meet

// What all threads do to a row of objects; tickets[i] is what thread i saw when it took one.
enum object { total, ticket, smallest, largest, all_of, any_of, parity, taken_back, by_exchange, by_compare, often, object_count };

template <class T>
struct contended {
  MUSTER_FN void operator()(auto, T* objects, T* tickets, T* exchanged) const {
    int const me = static_cast<int>(muster::backend::block_index().x) * threads + static_cast<int>(muster::backend::thread_index().x);
    T const mine = static_cast<T>(me + 1);
    atomic_ref(objects[total]).fetch_add(mine);
    tickets[me] = atomic_ref(objects[ticket]).fetch_add(T(1));
    atomic_ref(objects[taken_back]).fetch_sub(mine);
    exchanged[me] = atomic_ref(objects[by_exchange]).exchange(mine);
    atomic_ref<T> const sum(objects[by_compare]);
    T seen = sum.load();
    while (!sum.compare_exchange_strong(seen, seen + mine)) {
    }
    for (int i = 0; i < times; ++i) atomic_ref(objects[often]).fetch_add(T(1));
    if constexpr (std::is_integral_v<T>) {
      atomic_ref(objects[smallest]).fetch_min(mine);
      atomic_ref(objects[largest]).fetch_max(mine);
      atomic_ref(objects[all_of]).fetch_and(static_cast<T>(~(T(1) << me % 24)));
      atomic_ref(objects[any_of]).fetch_or(static_cast<T>(T(1) << me % 20));
      atomic_ref(objects[parity]).fetch_xor(mine);
    }
  }
};

template <class T, class Target>
void run_contended(Target const& target) {
  std::vector<T> start(object_count, T(0));
  start[smallest] = std::numeric_limits<T>::max();
  start[largest] = std::numeric_limits<T>::lowest();
  start[all_of] = static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>) start[smallest] = T(5), start[largest] = T(-5);
  muster::buffer<T> objects(target, start), tickets(target, everyone), exchanged(target, everyone);
  muster::launch(target, muster::grid_dims(blocks), muster::block_dims<threads>{}, contended<T>{}, objects.data(), tickets.data(), exchanged.data());
  muster::wait(target);

  T const sum = static_cast<T>(everyone * (everyone + 1) / 2);
  auto const got = objects.to_vector();
  INFO("type " << typeid(T).name());
  CHECK(got[total] == sum);
  CHECK(got[by_compare] == sum);
  CHECK(got[often] == static_cast<T>(times * everyone));
  CHECK(got[taken_back] == static_cast<T>(T(0) - sum));
  auto taken = tickets.to_vector();
  std::sort(taken.begin(), taken.end());
  for (int i = 0; i < everyone; ++i) REQUIRE(taken[static_cast<std::size_t>(i)] == static_cast<T>(i));
  // Each value that was put was taken out by the next one; only the last is still there.
  auto out = exchanged.to_vector();
  out.push_back(got[by_exchange]);
  std::sort(out.begin(), out.end());
  for (int i = 0; i <= everyone; ++i) REQUIRE(out[static_cast<std::size_t>(i)] == static_cast<T>(i));
  if constexpr (std::is_integral_v<T>) {
    T parities = 0;
    for (int i = 1; i <= everyone; ++i) parities = static_cast<T>(parities ^ static_cast<T>(i));
    CHECK(got[smallest] == T(1));
    CHECK(got[largest] == static_cast<T>(everyone));
    CHECK(got[all_of] == static_cast<T>(static_cast<T>(-1) & ~static_cast<T>(0xffffff)));
    CHECK(got[any_of] == static_cast<T>(0xfffff));
    CHECK(got[parity] == parities);
  }
}

template <class Target>
void run_all_contended(Target const& target) {
  hana::for_each(hana::tuple_t<int, unsigned, long, unsigned long, long long, unsigned long long, float, double>,
                 [&](auto type) { run_contended<typename decltype(type)::type>(target); });
}

// The extremes that signed and unsigned comparisons disagree on, and 64 bits.
template <class T>
struct extremes {
  MUSTER_FN void operator()(auto, T* objects) const {
    T const most = static_cast<T>(T(1) << (sizeof(T) * 8 - 1));
    atomic_ref(objects[0]).fetch_min(most);
    atomic_ref(objects[1]).fetch_max(most);
    atomic_ref(objects[2]).fetch_add(most);
    atomic_ref(objects[3]).store(static_cast<T>(~most));
  }
};

template <class T, class Target>
void run_extremes(Target const& target) {
  T const most = static_cast<T>(T(1) << (sizeof(T) * 8 - 1));
  muster::buffer<T> objects(target, std::vector<T>{1, 1, static_cast<T>(most + 3), 0});
  muster::launch(target, muster::grid_dims(1), muster::block_dims<1>{}, extremes<T>{}, objects.data());
  muster::wait(target);
  auto const got = objects.to_vector();
  CHECK(got[0] == std::min(T(1), most));
  CHECK(got[1] == std::max(T(1), most));
  CHECK(got[2] == T(3));
  CHECK(got[3] == static_cast<T>(~most));
}

// Lanes take turns in descending order, each waiting in another way for its number.
struct turns {
  MUSTER_FN void operator()(auto block, int* turn, int* order, int* lock) const {
    auto const warp = muster::this_warp(block);
    int const lane = muster::thread_rank(warp);
    atomic_ref<int> const now(*turn);
    if (lane % 3 == 0) {
      while (now.load() != 31 - lane) {
      }
    } else if (lane % 3 == 1) {
      while (now.fetch_add(0) != 31 - lane) {
      }
    } else {
      int expected = 31 - lane;
      while (!now.compare_exchange_strong(expected, expected)) expected = 31 - lane;
    }
    order[31 - lane] = lane;
    now.fetch_add(1);
    muster::sync(warp);
    // A lock by exchange. Relaxed order hands nothing from one holder to the next but the lock itself, so holders are counted atomically.
    bool done = false;
    while (!done) {
      if (atomic_ref(lock[0]).exchange(1) == 0) {
        atomic_ref(lock[1]).fetch_add(1);
        atomic_ref(lock[0]).store(0);
        done = true;
      }
    }
    muster::sync(warp);
  }
};

template <class Target>
void run_turns(Target const& target) {
  muster::buffer<int> turn(target, std::vector<int>{0}), order(target, 32), lock(target, std::vector<int>{0, 0});
  muster::launch(target, muster::grid_dims(1), muster::block_dims<32>{}, turns{}, turn.data(), order.data(), lock.data());
  muster::wait(target);
  auto const got = order.to_vector();
  for (int i = 0; i < 32; ++i) CHECK(got[static_cast<std::size_t>(i)] == 31 - i);
  CHECK(turn.to_vector()[0] == 32);
  CHECK(lock.to_vector() == std::vector<int>{0, 32});
}

TEST_CASE("atomic_ref loses nothing between many blocks on the emulator") {
  on_emulator_without_nvcc([](auto target) {
    target.options.threads = 2;
    run_all_contended(target);
  });
}

TEST_CASE("atomic_ref loses nothing between many blocks on a GPU") {
  on_gpu_with_nvcc([](auto target) { run_all_contended(target); });
}

TEST_CASE("atomic_ref compares and wraps as its type does on the emulator") {
  run_extremes<int>(muster::on_emulator());
  run_extremes<unsigned>(muster::on_emulator());
  run_extremes<long long>(muster::on_emulator());
  run_extremes<unsigned long long>(muster::on_emulator());
}

TEST_CASE("atomic_ref compares and wraps as its type does on a GPU") {
  REQUIRE_A_GPU();
  run_extremes<int>(muster::on_device());
  run_extremes<unsigned>(muster::on_device());
  run_extremes<long long>(muster::on_device());
  run_extremes<unsigned long long>(muster::on_device());
}

TEST_CASE("a loop that waits through atomic_ref lets the lane run that it waits for, in every schedule of the emulator") {
  using muster::emulator::schedule;
  for (schedule order : {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep}) run_turns(muster::on_emulator({.order = order}));
}

TEST_CASE("a loop that waits through atomic_ref lets the lane run that it waits for, on a GPU") {
  REQUIRE_A_GPU();
  run_turns(muster::on_device());
}

}  // namespace atomic_ref_tests
