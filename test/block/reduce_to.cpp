// The fold in one thread: opened where it is held, or handed to all; call after call on one storage.
#include <cstdint>
#include <vector>

#include <boost/hana.hpp>

#include <muster/muster.hpp>

#include "support/machines.hpp"
#include "support/values.hpp"

namespace block_reduce_to {

using namespace test;
namespace hana = boost::hana;

constexpr int calls = 9;

template <class T, int Rank, class Dims>
struct held_sums {
  struct shared {
    muster::block_storage<T, Dims> meeting;
  };
  // out: of each call the sum, or -1 in threads that do not hold it; of every third the sum handed to all. And the greatest of numbers below zero, which is -1.
  MUSTER_FN void operator()(auto block, shared& s, T* out) const {
    int const thread = muster::thread_rank(block);
    for (int call = 0; call < calls; ++call) {
      auto held = muster::reduce_to<Rank>(block, s.meeting, static_cast<T>(thread * call + 1), muster::plus{});
      auto greatest = muster::reduce_to<Rank>(block, s.meeting, static_cast<T>(-1 - thread * call), muster::maximum{});
      T opened = -1;
      muster::only_rank<Rank>(block, muster::with(held, greatest, opened), [](auto, T& sum, T& greatest, T& opened) { opened = greatest == -1 ? sum : greatest; });
      if (call % 3 == 2) opened = muster::broadcast(block, s.meeting, held);
      out[thread * calls + call] = opened;
    }
  }
};

template <class T, int Rank, class Dims>
void check_held(machine const& on, Dims dims) {
  int const threads = static_cast<int>(dims.shape().volume());
  std::vector<T> expected;
  for (int t = 0; t < threads; ++t)
    for (int call = 0; call < calls; ++call)
      expected.push_back(t == Rank || call % 3 == 2 ? static_cast<T>(threads * (threads - 1) / 2 * call + threads) : T(-1));
  auto out = on.memory(std::vector<T>(expected.size(), T(-7)));
  on.run(muster::grid_dims(1), dims, held_sums<T, Rank, Dims>{}, out.data());
  INFO(on.name() << ", " << threads << " threads, rank " << Rank << ", " << type_name<T>());
  CHECK(expected == out.to_vector());
}

TEST_CASE("a block's sum is held by one thread") {
  for_each_machine([](machine const& on) {
    hana::for_each(hana::make_tuple(muster::block_dims<20>{}, muster::block_dims<64>{}, muster::block_dims<100>{}, muster::block_dims<16, 32>{}), [&](auto dims) {
      check_held<int, 0>(on, dims);
      check_held<double, 7>(on, dims);
      check_held<int, static_cast<int>(decltype(dims)::count) - 1>(on, dims);
    });
    check_held<int, 31>(on, muster::block_dims<96>{});
    check_held<float, 0>(on, muster::block_dims<256>{});
    check_held<int, 0>(on, muster::block_dims<1024>{});
    check_held<float, 0>(on, muster::block_dims<1024>{});
    check_held<float, 0>(on, muster::dynamic_block_dims{50});
  });
}

TEST_CASE("a block's sum is held by one thread under every seed") {
  for (std::uint64_t seed = 1; seed <= (built_by_nvcc ? 3 : 25); ++seed) {
    muster::emulator::options options;
    options.seed = seed;
    options.threads = 1;
    machine const on(options, "emulator, random, seed " + std::to_string(seed));
    check_held<int, 0>(on, muster::block_dims<128>{});
    check_held<double, 0>(on, muster::block_dims<288>{});
  }
}

}  // namespace block_reduce_to
