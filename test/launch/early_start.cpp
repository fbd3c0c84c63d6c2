// Kernels that begin while the one before them still runs: none of them may read what that one has not written yet, nor overwrite what it still reads.
#include <vector>

#include <muster/muster.hpp>

#include "support/machines.hpp"

namespace early_start {

using namespace test;

// read_only: by the instruction for memory that no kernel writes meanwhile, which compilers take for constant __restrict__ pointers too. Nobody promises it here; it is watched.
enum class reading { plain, read_only };

MUSTER_FN unsigned value_at(unsigned const* place, [[maybe_unused]] reading how) {
#if MUSTER_ON_DEVICE
  if (how == reading::read_only) return __ldg(place);
#endif
  return *place;
}

// out[i] = in[i + 1] + 1. Neighbours are written by other blocks, every other block is late, and each brings to its L1 what its neighbours are going to overwrite.
template <bool Early, reading How = reading::plain>
struct shifted_and_grown {
  static constexpr bool starts_early = Early;

  MUSTER_FN void operator()(auto block, unsigned const* in, unsigned* out, unsigned* seen, unsigned rounds) const {
    unsigned const blocks = static_cast<unsigned>(muster::num_blocks(block).value()), rank = static_cast<unsigned>(muster::block_rank(block).value());
    unsigned const count = blocks * static_cast<unsigned>(muster::num_threads(block)), i = static_cast<unsigned>(muster::thread_rank(block)) * blocks + rank;
    unsigned const before = value_at(out + i, How), value = value_at(in + (i + 1) % count, How);
    unsigned chaos = before;
    for (unsigned r = 0; r < (rank % 2 == 0 ? rounds : 1); ++r) chaos = chaos * 1664525u + 1013904223u;
    seen[i] = chaos;
    out[i] = value + 1;
  }
};

constexpr unsigned blocks = 24, threads = 64, count = blocks * threads, calls = 50;

// Whether all values are right after calls of the kernels in turn, each on what the one before it wrote.
template <class Target, class First, class Second>
int wrong_after(Target const& target, First first, Second second, unsigned rounds) {
  std::vector<unsigned> values(count);
  for (unsigned i = 0; i < count; ++i) values[i] = i * 2654435761u;
  auto one = muster::buffer<unsigned>(target, values);
  auto other = muster::buffer<unsigned>(target, std::vector<unsigned>(count, 0xabcdabcd));
  auto seen = muster::buffer<unsigned>(target, count);
  for (unsigned call = 0; call < calls; call += 2) {
    muster::launch(target, muster::grid_dims(blocks), muster::block_dims<threads>{}, first, one.data(), other.data(), seen.data(), rounds);
    muster::launch(target, muster::grid_dims(blocks), muster::block_dims<threads>{}, second, other.data(), one.data(), seen.data(), rounds);
  }
  auto const got = one.to_vector();
  int wrong = 0;
  for (unsigned i = 0; i < count; ++i) wrong += got[i] != values[(i + calls) % count] + calls;
  return wrong;
}

template <class Target>
void check(Target const& target, unsigned rounds) {
  CHECK(wrong_after(target, shifted_and_grown<true>{}, shifted_and_grown<true>{}, rounds) == 0);
  CHECK(wrong_after(target, shifted_and_grown<true>{}, shifted_and_grown<false>{}, rounds) == 0);
  CHECK(wrong_after(target, shifted_and_grown<true, reading::read_only>{}, shifted_and_grown<true, reading::read_only>{}, rounds) == 0);
}

TEST_CASE("a kernel that begins early reads what the one before it wrote") {
#if defined(__CUDACC__)
  if (!muster::has_device()) SKIP("there is no GPU here; the build by the host's compiler runs this test on the emulator");
  for (int repeated = 0; repeated < 20; ++repeated)
    for (unsigned const rounds : {1u, 100u, 10000u}) check(muster::on_device(), rounds);
#else
  check(muster::on_emulator(), 1);
#endif
}

// Where all blocks run at once, and in clusters.
struct of_one_grid {
  static constexpr bool starts_early = true;

  MUSTER_FN void operator()(auto block, unsigned* counters) const {
    auto const grid = muster::this_grid(block);
    if (muster::thread_rank(block) == 0) muster::atomic_ref(counters[0]).fetch_add(1u);
    muster::sync(grid);
    if (muster::thread_rank(block) == 0 && muster::atomic_ref(counters[0]).load() % static_cast<unsigned>(muster::num_blocks(block).value()) != 0) counters[1] = 1;
    muster::sync(grid);
  }
};
struct of_clusters {
  static constexpr bool starts_early = true;
  struct shared {
    unsigned value;
  };

  MUSTER_FN void operator()(auto block, shared& s, unsigned* counters) const {
    auto const cluster = muster::this_cluster(block);
    if (muster::thread_rank(block) == 0) s.value = counters[0];
    muster::sync(cluster);
    if (muster::thread_rank(cluster) == 0) counters[0] = s.value + 1;
    muster::sync(cluster);
  }
};

TEST_CASE("kernels of a cooperative grid and of clusters begin early") {
  for_each_machine([](machine const& on) {
    auto counters = on.memory(std::vector<unsigned>{0, 0});
    for (int i = 0; i < 3; ++i) on.run_cooperative(muster::grid_dims(4), muster::block_dims<64>{}, of_one_grid{}, counters.data());
    CHECK(counters.to_vector() == std::vector<unsigned>{12, 0});
    if (on.is_gpu() && !muster::can_launch_clusters(muster::on_device(), muster::cluster_dims<2>{}, muster::block_dims<64>{}, of_clusters{}, counters.data())) return;
    for (int i = 0; i < 5; ++i) on.run_clusters(muster::grid_dims(2), muster::cluster_dims<2>{}, muster::block_dims<64>{}, of_clusters{}, counters.data());
    CHECK(counters.to_vector() == std::vector<unsigned>{17, 0});
  });
}

}  // namespace early_start
