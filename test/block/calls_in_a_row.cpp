// One storage, call after call, no barrier between: no call may write what a slower warp still reads. Random schedules with many seeds; and the proof that they would
// find a missing barrier.
#include <cstdint>
#include <vector>

#include <boost/hana.hpp>
#include <catch2/catch_test_macros.hpp>

#include <muster/muster.hpp>

#include "support/machines.hpp"
#include "support/values.hpp"

namespace row_tests {

using namespace test;
namespace hana = boost::hana;

constexpr int calls = 30, kinds = 5;

// Each call another value of each thread, and another kind of call. A sum in one thread is seen there; the others put -1.
template <class T, class Dims>
struct many_calls {
  struct shared {
    muster::block_storage<T, Dims> meeting;
  };
  MUSTER_FN static T value(int thread, int call) { return static_cast<T>(scrambled(static_cast<std::uint64_t>(thread * 1000 + call)) % 100); }
  MUSTER_FN void operator()(auto block, shared& s, int order, T* out) const {
    int const thread = muster::thread_rank(block);
    for (int call = 0; call < calls; ++call) {
      T const v = value(thread, call);
      T& result = out[thread * calls + call];
      switch ((call * order + call / 3) % kinds) {
        case 0: result = muster::reduce(block, s.meeting, v, muster::plus{}); break;
        case 1: result = muster::inclusive_scan(block, s.meeting, v, muster::plus{}); break;
        case 2: result = muster::exclusive_scan(block, s.meeting, v, muster::maximum{}); break;
        case 3: result = muster::broadcast(block, s.meeting, v, call % static_cast<int>(muster::num_threads(block))); break;
        case 4: {
          auto held = muster::reduce_to<0>(block, s.meeting, v, muster::plus{});
          result = -1;
          muster::only_rank<0>(block, muster::with(held, result), [](auto, T& sum, T& result) { result = sum; });
          break;
        }
      }
    }
  }
  static std::vector<T> expected(int threads, int order) {
    std::vector<T> out(static_cast<std::size_t>(threads * calls));
    for (int call = 0; call < calls; ++call) {
      T sum = 0, greatest = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
      T total = 0;
      for (int t = 0; t < threads; ++t) total = static_cast<T>(total + value(t, call));
      for (int t = 0; t < threads; ++t) {
        T const v = value(t, call);
        sum = static_cast<T>(sum + v);
        T const results[kinds] = {total, sum, greatest, value(call % threads, call), t == 0 ? total : T(-1)};
        out[static_cast<std::size_t>(t * calls + call)] = results[(call * order + call / 3) % kinds];
        greatest = v > greatest ? v : greatest;
      }
    }
    return out;
  }
};

// Sums by hand with one barrier a call: a fast warp writes its next partial while a slow one still reads.
struct barrier_forgotten {
  struct shared {
    int partial[3];
  };
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const warp = muster::this_warp(block);
    int const thread = muster::thread_rank(block);
    for (int call = 0; call < calls; ++call) {
      int const own = muster::reduce(warp, thread + call, muster::plus{});
      if (muster::thread_rank(warp) == 0) s.partial[muster::warp_rank(block)] = own;
      muster::sync(block);
      out[thread * calls + call] = s.partial[0] + s.partial[1] + s.partial[2];
    }
  }
};

template <class T, class Dims>
void run_in_a_row(machine const& on, Dims dims, int order) {
  int const threads = static_cast<int>(dims.shape().volume());
  auto out = on.memory(std::vector<T>(static_cast<std::size_t>(threads * calls), T(-7)));
  on.run(muster::grid_dims(1), dims, many_calls<T, Dims>{}, order, out.data());
  INFO(on.name() << ", " << threads << " threads, order " << order);
  CHECK(many_calls<T, Dims>::expected(threads, order) == out.to_vector());
}

machine seeded(std::uint64_t seed) {
  muster::emulator::options options;
  options.seed = seed;
  options.order = muster::emulator::schedule::random;
  options.threads = 1;
  return machine(options, "emulator, random, seed " + std::to_string(seed));
}

constexpr int seeds = built_by_nvcc ? 5 : 40;

TEST_CASE("calls of every kind follow each other on one storage") {
  auto const shapes = hana::make_tuple(muster::block_dims<20>{}, muster::block_dims<96>{}, muster::block_dims<100>{}, muster::block_dims<128>{}, muster::block_dims<288>{}, muster::dynamic_block_dims{30},
                                       muster::dynamic_block_dims{100});
  hana::for_each(shapes, [](auto dims) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      for (int order : {0, 1, 3}) {
        run_in_a_row<int>(seeded(seed), dims, order);
        run_in_a_row<double>(seeded(seed), dims, order);
      }
    }
  });
  for_each_machine([&](machine const& on) {
    hana::for_each(shapes, [&](auto dims) { run_in_a_row<double>(on, dims, 1); });
    run_in_a_row<float>(on, muster::block_dims<256>{}, 0);
    run_in_a_row<float>(on, muster::block_dims<256>{}, 1);
    run_in_a_row<float>(on, muster::block_dims<1024>{}, 0);
    run_in_a_row<float>(on, muster::block_dims<1024>{}, 1);
    run_in_a_row<int>(on, muster::block_dims<1024>{}, 3);
  });
}

TEST_CASE("random schedules find a barrier that is missing between two calls") {
  std::vector<int> expected;
  for (int t = 0; t < 96; ++t)
    for (int call = 0; call < calls; ++call) expected.push_back(96 * 95 / 2 + 96 * call);
  int found = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    auto const on = seeded(seed);
    auto out = on.memory(std::vector<int>(96 * calls, -7));
    on.run(muster::grid_dims(1), muster::block_dims<96>{}, barrier_forgotten{}, out.data());
    found += out.to_vector() != expected ? 1 : 0;
  }
  CHECK(found > seeds / 2);
}

}  // namespace row_tests
