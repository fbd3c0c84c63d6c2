// A cluster's fold in one thread: opened where it is held, or handed to all; call after call on one storage.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <muster/muster.hpp>

#include "support/machines.hpp"
#include "support/values.hpp"

namespace cluster_reduce_to {

using namespace test;

constexpr int calls = 6;

template <class T, int Rank, class Clusters, class Dims>
struct held_sums {
  struct shared {
    muster::cluster_storage<T, Clusters, Dims> meeting;
  };
  // out: of each call the sum, or -1 in threads that do not hold it; of every third the sum handed to all.
  MUSTER_FN void operator()(auto block, shared& s, T* out) const {
    auto const cluster = muster::this_cluster(block);
    int const thread = muster::thread_rank(cluster);
    for (int call = 0; call < calls; ++call) {
      auto held = muster::reduce_to<Rank>(cluster, s.meeting, static_cast<T>(thread * call + 1), muster::plus{});
      T opened = -1;
      muster::only_rank<Rank>(cluster, muster::with(held, opened), [](auto, T& sum, T& opened) { opened = sum; });
      if (call % 3 == 2) opened = muster::broadcast(cluster, s.meeting, held);
      out[thread * calls + call] = opened;
    }
  }
};

template <class T, int Rank, class Clusters, class Dims>
void check_held(machine const& on, Clusters clusters, Dims dims) {
  int const threads = static_cast<int>(dims.shape().volume()) * Clusters::count;
  std::vector<T> expected;
  for (int t = 0; t < threads; ++t)
    for (int call = 0; call < calls; ++call)
      expected.push_back(t == Rank || call % 3 == 2 ? static_cast<T>(threads * (threads - 1) / 2 * call + threads) : T(-1));
  auto out = on.memory(std::vector<T>(expected.size(), T(-7)));
  on.run_clusters(muster::grid_dims(Clusters::count), clusters, dims, held_sums<T, Rank, Clusters, Dims>{}, out.data());
  INFO(on.name() << ", " << Clusters::count << " blocks, " << threads << " threads, rank " << Rank << ", " << type_name<T>());
  CHECK(expected == out.to_vector());
}

TEST_CASE("a cluster's sum is held by one thread") {
  for_each_machine([](machine const& on) {
    check_held<int, 0>(on, muster::cluster_dims<4>{}, muster::block_dims<288>{});
    check_held<int, 117>(on, muster::cluster_dims<8>{}, muster::block_dims<100>{});
    check_held<double, 59>(on, muster::cluster_dims<3>{}, muster::block_dims<20>{});
    check_held<float, 0>(on, muster::cluster_dims<2>{}, muster::dynamic_block_dims{50});
  });
}

TEST_CASE("a cluster's sum is held by one thread under every seed") {
  for (std::uint64_t seed = 1; seed <= (built_by_nvcc ? 3 : 25); ++seed) {
    muster::emulator::options options;
    options.seed = seed;
    options.threads = 1;
    machine const on(options, "emulator, random, seed " + std::to_string(seed));
    check_held<int, 117>(on, muster::cluster_dims<8>{}, muster::block_dims<100>{});
  }
}

}  // namespace cluster_reduce_to
