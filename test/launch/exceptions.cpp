// An exception in an emulated kernel ends its block and comes out of the launch with the place where it happened.
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/matchers/catch_matchers_string.hpp>

#include <muster/muster.hpp>

#include "support/machines.hpp"

// Named: nvcc 13.0 cannot tell apart kernel types of an unnamed namespace in some translation units.
namespace exceptions {

using Catch::Matchers::ContainsSubstring;

struct fails_in_one_thread {
  MUSTER_FN void operator()(auto block, int* out) const {
    int const thread = muster::thread_rank(block);
#if !MUSTER_ON_DEVICE
    if (static_cast<int>(muster::block_rank(block)) == 5 && thread == 37) throw std::out_of_range("row 37 is not there");
#endif
    out[thread] = muster::reduce(muster::this_warp(block), 1, muster::plus{});
  }
};

struct states_another_shape {
  MUSTER_FN void operator()(auto block, int* out) const { out[muster::thread_rank(block)] = muster::thread_rank(muster::this_block<muster::block_dims<128>>()); }
};

struct states_clusters {
  MUSTER_FN void operator()(auto, int* out) const {
    auto const block = muster::this_block<muster::placed_dims<muster::block_dims<64>, muster::cluster_dims<2>, false>>();
    out[muster::thread_rank(block)] = static_cast<int>(muster::detail::plain(muster::num_blocks(muster::this_cluster(block))));
  }
};

struct states_cooperation {
  MUSTER_FN void operator()(auto, int* out) const {
    auto const block = muster::this_block<muster::placed_dims<muster::block_dims<64>, muster::no_cluster, true>>();
    out[muster::thread_rank(block)] = static_cast<int>(muster::num_blocks(muster::this_grid(block)));
  }
};

struct admits_its_block {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const same = muster::this_block<muster::block_dims<16, 4>>();
    auto const unknown = muster::this_block();
    out[muster::thread_rank(block)] = 100 * muster::thread_rank(same) + muster::reduce(muster::this_warp(unknown), 1, muster::plus{});
  }
};

template <class Kernel, class Dims>
void launch_on_emulator(muster::emulator::schedule order, muster::grid_dims grid, Dims dims, Kernel const& kernel, muster::buffer<int>& out) {
  muster::emulator::options options;
  options.order = order;
  muster::launch(muster::on_emulator(options), grid, dims, kernel, out.data());
}

TEST_CASE("an exception of a kernel names block and thread, and keeps the original") {
  using muster::emulator::schedule;
  for (schedule const order : {schedule::random, schedule::ascending, schedule::descending, schedule::lockstep}) {
    muster::buffer<int> out(muster::on_emulator(), 64);
    bool thrown = false;
    try {
      launch_on_emulator(order, muster::grid_dims(4, 2), muster::block_dims<64>{}, fails_in_one_thread{}, out);
    } catch (muster::emulator::kernel_error const& error) {
      thrown = true;
      CHECK_THAT(error.what(), ContainsSubstring("row 37 is not there") && ContainsSubstring("thread (37,0,0) of block (1,1,0)") && ContainsSubstring("\n  again     seed=1 schedule="));
      CHECK_THROWS_AS(std::rethrow_if_nested(error), std::out_of_range);
    }
    CHECK(thrown);
    // The emulator works after it.
    launch_on_emulator(order, muster::grid_dims(1), muster::block_dims<64>{}, fails_in_one_thread{}, out);
    CHECK(out.to_vector() == std::vector<int>(64, 32));
  }
}

TEST_CASE("this_block checks the shape that it states") {
  muster::buffer<int> out(muster::on_emulator(), 64);
  CHECK_THROWS_WITH(muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<64>{}, states_another_shape{}, out.data()), ContainsSubstring("another block shape"));
  CHECK_THROWS_WITH(muster::launch(muster::on_emulator({.seed = 9}), muster::grid_dims(1), muster::block_dims<64>{}, states_another_shape{}, out.data()),
                    ContainsSubstring("\n  again     seed=9 schedule=random\n"));
  muster::launch(muster::on_emulator(), muster::grid_dims(1), muster::block_dims<16, 4>{}, admits_its_block{}, out.data());
  std::vector<int> expected(64);
  for (int t = 0; t < 64; ++t) expected[static_cast<std::size_t>(t)] = 100 * t + 32;
  CHECK(out.to_vector() == expected);
}

TEST_CASE("this_block checks the cluster and the cooperation that it states") {
  muster::buffer<int> out(muster::on_emulator(), 64);
  auto const on = muster::on_emulator();
  muster::block_dims<64> const dims;
  CHECK_THROWS_WITH(muster::launch(on, muster::grid_dims(2), dims, states_clusters{}, out.data()), ContainsSubstring("another cluster shape"));
  CHECK_THROWS_WITH(muster::launch(on, muster::grid_dims(4), muster::cluster_dims<4>{}, dims, states_clusters{}, out.data()), ContainsSubstring("another cluster shape"));
  muster::launch(on, muster::grid_dims(2), muster::cluster_dims<2>{}, dims, states_clusters{}, out.data());
  CHECK(out.to_vector() == std::vector<int>(64, 2));
  CHECK_THROWS_WITH(muster::launch(on, muster::grid_dims(3), dims, states_cooperation{}, out.data()), ContainsSubstring("not launched with `cooperative`"));
  muster::launch(on, muster::cooperative, muster::grid_dims(3), dims, states_cooperation{}, out.data());
  CHECK(out.to_vector() == std::vector<int>(64, 3));
}

}  // namespace exceptions
