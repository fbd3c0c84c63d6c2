// Reductions, scans and broadcasts of clusters of 2 to 16 blocks of many shapes, in order, of values of two words.
#include <cstdint>

#include "on_clusters.hpp"

namespace cluster_tests {

using muster::block_dims, muster::cluster_dims;

auto const maps = hana::tuple_t<block_tests::block_folds<compose, affine>>;

TEST_CASE("folds of clusters whose blocks have whole warps") {
  for_each_machine([](machine const& on) {
    run_clusters(on,
                 hana::make_tuple(shaped(cluster_dims<2>{}, block_dims<1024>{}), shaped(cluster_dims<3>{}, block_dims<96>{}),
                                  shaped(cluster_dims<4>{}, block_dims<16, 8>{}), shaped(cluster_dims<16>{}, block_dims<256>{}),
                                  shaped(cluster_dims<2, 2, 2>{}, block_dims<32>{})),
                 maps);
  });
}

TEST_CASE("folds of clusters whose blocks have a ragged last warp") {
  for_each_machine([](machine const& on) {
    run_clusters(on,
                 hana::make_tuple(shaped(cluster_dims<2>{}, block_dims<33>{}), shaped(cluster_dims<4>{}, block_dims<48>{}),
                                  shaped(cluster_dims<8>{}, block_dims<100>{}), shaped(cluster_dims<16>{}, block_dims<5, 4, 9>{}),
                                  shaped(cluster_dims<16>{}, block_dims<7>{}), shaped(cluster_dims<4>{}, muster::dynamic_block_dims{77}),
                                  shaped(cluster_dims<1>{}, block_dims<64>{})),
                 maps);
  });
}

TEST_CASE("sums of clusters, by redux where there are few warps") {
  for_each_machine([](machine const& on) {
    run_clusters(on,
                 hana::make_tuple(shaped(cluster_dims<8>{}, block_dims<128>{}), shaped(cluster_dims<8>{}, block_dims<512>{}),
                                  shaped(cluster_dims<2>{}, block_dims<40>{})),
                 hana::tuple_t<block_tests::block_folds<muster::plus, std::int32_t>>);
  });
}

}  // namespace cluster_tests
