// Builds with MUSTER_CHECKED: what the emulator reports of a single call, a GPU reports too, with place and reason, and goes on working.
#define MUSTER_CHECKED
#include <string>
#include <typeinfo>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <muster/buffer.hpp>
#include <muster/launch.hpp>
#include <muster/muster.hpp>

#include "support/machines.hpp"

namespace checked {

using Catch::Matchers::ContainsSubstring;

// Every lane asks for the rank that the host names.
struct asks_for_rank {
  MUSTER_FN void operator()(auto block, int rank, int* out) const {
    auto const tile = muster::tiled_partition<8>(muster::this_warp(block));
    out[muster::thread_rank(block)] = muster::shuffle(tile, muster::thread_rank(block), rank);
  }
};

// States that a value is uniform which differs in one lane of the second warp, if `odd` is not 0.
struct states_uniform {
  MUSTER_FN void operator()(auto block, int odd, int* out) const {
    auto const tile = muster::tiled_partition<16>(muster::this_warp(block));
    int const thread = muster::thread_rank(block);
    out[thread] = muster::as_uniform(tile, thread == 53 ? odd : 0).value();
  }
};

// Calls with a token of lanes that the caller is not one of.
struct calls_from_outside {
  MUSTER_FN void operator()(auto block, int lowest_caller, int* out) const {
    auto const warp = muster::this_warp(block);
    int const thread = muster::thread_rank(block);
    muster::only<muster::lane_set::range(0, 8)>(warp, [&](auto tile) { out[thread] = muster::reduce(tile, 1, muster::plus{}); });
    if (thread == lowest_caller) {
      auto const outside = muster::detail::mint::make<muster::tile<32, muster::lanes<muster::lane_set::range(0, 8)>>>(muster::lane_set::range(0, 8));
      muster::sync(outside);
    }
  }
};

// Is launched with 64 threads and states what the host names.
template <unsigned Stated>
struct states_shape {
  MUSTER_FN void operator()(auto, int, int* out) const {
    auto const block = muster::this_block<muster::block_dims<Stated>>();
    out[muster::thread_rank(block)] = 1;
  }
};

// Is launched by itself, in no cluster, and states what Dims says.
template <class Dims>
struct states_company {
  MUSTER_FN void operator()(auto, int, int* out) const { out[muster::thread_rank(muster::this_block<Dims>())] = 1; }
};

template <class Kernel>
std::string complaint_of(test::machine const& on, Kernel const& kernel, int argument) {
  auto out = on.memory<int>(64);
  try {
    on.run(muster::grid_dims(1), muster::block_dims<64>{}, kernel, argument, out.data());
  } catch (std::exception const& e) {
    return e.what();
  }
  return "nothing";
}

template <class Bad, class Good = Bad>
void is_reported(test::machine const& on, int bad, int good, std::string const& kind, std::string const& detail) {
  INFO(on.name());
  CHECK(complaint_of(on, Good{}, good) == "nothing");
  std::string const said = complaint_of(on, Bad{}, bad);
  CHECK_THAT(said, ContainsSubstring(kind) && ContainsSubstring("checked_builds.cpp"));
  if (on.is_gpu()) CHECK_THAT(said, ContainsSubstring(detail));
  CHECK(complaint_of(on, Good{}, good) == "nothing");
}

TEST_CASE("a rank that no member has is reported, and the GPU works on") {
  test::for_each_machine([](test::machine const& on) { is_reported<asks_for_rank>(on, 8, 7, "rank", "rank 8 was asked for, and the tile has 8 members"); });
}

TEST_CASE("a value that is not uniform as stated is reported with its lane") {
  test::for_each_machine([](test::machine const& on) { is_reported<states_uniform>(on, 1, 0, "not_uniform", "lane 21 holds another value than lane 16"); });
}

TEST_CASE("a caller outside the mask is reported and takes no part") {
  test::for_each_machine([](test::machine const& on) { is_reported<calls_from_outside>(on, 9, -1, "caller_not_in_set", "lane 9 executes a collective"); });
}

TEST_CASE("a block of another shape than this_block states is reported") {
  test::for_each_machine([](test::machine const& on) { is_reported<states_shape<32>, states_shape<64>>(on, 0, 0, "shape", "another shape (32 threads)"); });
}

TEST_CASE("a launch without the clusters or the cooperation that this_block states is reported") {
  test::for_each_machine([](test::machine const& on) {
    using dims = muster::block_dims<64>;
    using in_clusters = muster::placed_dims<dims, muster::cluster_dims<2>, false>;
    using cooperative = muster::placed_dims<dims, muster::no_cluster, true>;
    is_reported<states_company<in_clusters>, states_company<dims>>(on, 0, 0, "cluster", "another shape (2 blocks) than the launch (1)");
    is_reported<states_company<cooperative>, states_company<dims>>(on, 0, 0, "cooperative", "not_cooperative");
  });
}

TEST_CASE("names in a checked build are not those of other builds") {
  CHECK(std::string(typeid(muster::tile<32>).name()).find("v1_checked") != std::string::npos);
}

}  // namespace checked
