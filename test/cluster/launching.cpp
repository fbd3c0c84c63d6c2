// Launches in clusters and of cooperative grids: who is where, that blocks wait for each other and see what others wrote, and what cannot
// be launched.
#include <cstddef>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include <muster/buffer.hpp>
#include <muster/launch.hpp>
#include <muster/muster.hpp>

#include "support/machines.hpp"

// Named: nvcc 13.0 cannot tell apart kernel types of an unnamed namespace in some translation units.
namespace cluster_tests {

using namespace test;

// Each block tells the next of its cluster, through that one's shared memory, who it is.
struct tells_its_neighbour {
  struct shared {
    int told;
    int own;
  };
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const cluster = muster::this_cluster(block);
    unsigned const rank = muster::block_rank(cluster), blocks = muster::num_blocks(cluster);
    int const thread = muster::thread_rank(block);
    if (thread == 0) s.own = static_cast<int>(muster::cluster_rank(cluster) * 100 + rank);
    muster::sync(cluster);
    if (thread == 0) muster::shared_of(cluster, s.told, (rank + 1) % blocks) = s.own;
    muster::sync(cluster);
    int const own_place = static_cast<int>(muster::cluster_rank(cluster)) * muster::num_threads(cluster) + muster::thread_rank(cluster);
    out[own_place] = s.told * 1000 + muster::shared_of(cluster, s.own, (rank + 2) % blocks);
    muster::sync(cluster);  // nobody ends while others read
  }
};

template <class Clusters, class Dims>
void check_neighbours(machine const& on, muster::grid_dims grid, Clusters clusters, Dims dims) {
  INFO(on.name() << ", clusters of " << Clusters::count);
  std::size_t const threads = dims.shape().volume(), blocks = grid.shape().volume();
  auto out = on.memory(std::vector<int>(threads * blocks, -1));
  on.run_clusters(grid, clusters, dims, tells_its_neighbour{}, out.data());
  auto const got = out.to_vector();
  int wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    int const of = Clusters::count, cluster = static_cast<int>(i / threads) / of, rank = static_cast<int>(i / threads) % of;
    int const before = cluster * 100 + (rank + of - 1) % of, after = cluster * 100 + (rank + 2) % of;
    if (got[i] != before * 1000 + after) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("blocks of a cluster reach each other's shared memory") {
  for_each_machine([](machine const& on) {
    check_neighbours(on, muster::grid_dims(6), muster::cluster_dims<2>{}, muster::block_dims<48>{});
    check_neighbours(on, muster::grid_dims(4, 2), muster::cluster_dims<2, 2>{}, muster::block_dims<16, 4>{});
    check_neighbours(on, muster::grid_dims(8), muster::cluster_dims<8>{}, muster::dynamic_block_dims{33});
    check_neighbours(on, muster::grid_dims(3), muster::cluster_dims<1>{}, muster::block_dims<64>{});
  });
}

// Sums 1, 2, ..., n by blocks that hand their partial sums to all others through global memory, several times over.
struct sums_over_the_grid {
  struct shared {
    muster::block_storage<int, muster::block_dims<96>> fold;
  };
  MUSTER_FN void operator()(auto block, shared& s, int* partial, int* out, int trips) const {
    auto const grid = muster::this_grid(block);
    unsigned const rank = muster::block_rank(grid), blocks = muster::num_blocks(grid);
    int carried = static_cast<int>(muster::thread_rank(grid)) + 1;
    for (int trip = 0; trip < trips; ++trip) {
      int const own = muster::reduce(block, s.fold, carried, muster::plus{});
      if (muster::thread_rank(block) == 0) partial[rank] = own;
      muster::sync(grid);
      int total = 0;
      for (unsigned i = 0; i < blocks; ++i) total += partial[i];
      muster::sync(grid);
      carried = total % 1000 + static_cast<int>(rank);
    }
    out[muster::thread_rank(grid)] = carried;
  }
};

TEST_CASE("blocks of a cooperative grid wait for each other") {
  for_each_machine([](machine const& on) {
    INFO(on.name());
    constexpr unsigned blocks = 12;
    constexpr int threads = 96, trips = 5;
    auto partial = on.memory(std::vector<int>(blocks, -1));
    auto out = on.memory(std::vector<int>(blocks * threads, -1));
    on.run_cooperative(muster::grid_dims(blocks), muster::block_dims<threads>{}, sums_over_the_grid{}, partial.data(), out.data(), trips);
    std::vector<int> carried(blocks * threads);
    for (std::size_t i = 0; i < carried.size(); ++i) carried[i] = static_cast<int>(i) + 1;
    for (int trip = 0; trip < trips; ++trip) {
      int total = 0;
      for (int each : carried) total += each;
      for (std::size_t i = 0; i < carried.size(); ++i) carried[i] = total % 1000 + static_cast<int>(i) / threads;
    }
    CHECK(out.to_vector() == carried);
  });
}

template <class F>
std::string reason_of(F const& f) {
  try {
    f();
  } catch (muster::launch_error const& refused) {
    return refused.what();
  }
  return "it was not refused";
}

struct does_nothing {
  MUSTER_FN void operator()(auto) const {}
};

TEST_CASE("clusters and cooperative grids that cannot be are refused with the reason") {
  auto const holds = [](std::string const& text, char const* part) { return text.find(part) != std::string::npos; };
  for_each_machine([&](machine const& on) {
    INFO(on.name());
    auto const uneven =
        reason_of([&] { on.run_clusters(muster::grid_dims(6), muster::cluster_dims<4>{}, muster::block_dims<32>{}, does_nothing{}); });
    INFO(uneven);
    CHECK(holds(uneven, "multiple of its clusters"));
    CHECK(holds(uneven, "6 x 1 x 1 blocks in clusters of 4 x 1 x 1"));
    auto const too_many = reason_of([&] { on.run_cooperative(muster::grid_dims(1'000'000), muster::block_dims<1024>{}, does_nothing{}); });
    INFO(too_many);
    CHECK(holds(too_many, "holds at most"));
    // Nothing stays behind: the next launch runs.
    on.run_clusters(muster::grid_dims(4), muster::cluster_dims<4>{}, muster::block_dims<32>{}, does_nothing{});
    on.run_cooperative(muster::grid_dims(2), muster::block_dims<1024>{}, does_nothing{});
  });
}

TEST_CASE("the largest cooperative grid can be asked for") {
  int const most = muster::max_cooperative_blocks(muster::on_emulator(), muster::block_dims<256>{}, does_nothing{});
  CHECK(most == 64);
  CHECK(muster::max_cooperative_blocks<muster::cluster_dims<6>>(muster::on_emulator(), muster::block_dims<256>{}, does_nothing{}) == 60);
  muster::launch(muster::on_emulator(), muster::cooperative, muster::grid_dims(static_cast<unsigned>(most)), muster::block_dims<256>{},
                 does_nothing{});
#if defined(__CUDACC__)
  if (!muster::has_device()) SKIP("there is no GPU here; this test ran on the emulator only");
  int const on_gpu = muster::max_cooperative_blocks(muster::on_device(), muster::block_dims<256>{}, does_nothing{});
  CHECK(on_gpu >= 8);
  muster::launch(muster::on_device(), muster::cooperative, muster::grid_dims(static_cast<unsigned>(on_gpu)), muster::block_dims<256>{},
                 does_nothing{});
  muster::wait(muster::on_device());
  CHECK_THROWS_AS(muster::launch(muster::on_device(), muster::cooperative, muster::grid_dims(static_cast<unsigned>(on_gpu) + 1),
                                 muster::block_dims<256>{}, does_nothing{}),
                  muster::launch_error);
#endif
}

}  // namespace cluster_tests
