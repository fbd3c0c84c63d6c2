// Values of a user's own in clusters: of three words and of one byte, without a default, with an operator that does not commute; many calls
// on one storage.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "on_clusters.hpp"
#include "support/stretch.hpp"

namespace cluster_tests {

using stretch = test::stretch<std::int32_t>;
using test::join;

// Each call another kind, another value, no barrier between: no block may write what a slower one still reads.
template <class Clusters, class Dims>
struct joins_many_times {
  static constexpr int calls = 8;
  struct shared {
    muster::cluster_storage<stretch, Clusters, Dims> meeting;
  };
  MUSTER_FN void operator()(auto block, shared& s, std::int32_t* wrong) const {
    auto const cluster = muster::this_cluster(block);
    int const thread = muster::thread_rank(cluster), threads = muster::num_threads(cluster);
    auto const is = [&](stretch const& got, int first, int last) {
      return first == last ? got.state == 0 : got.state == 1 && got.first == first && got.last == last;
    };
    int count = 0;
    for (int call = 0; call < calls; ++call) {
      int const shift = 1000 * call, teller = (call * 37) % threads;
      stretch const mine(shift + thread, shift + thread + 1, 1);
      switch (call % 4) {
        case 0:
          count += !is(muster::reduce(cluster, s.meeting, mine, join{}).value(), shift, shift + threads);
          break;
        case 1:
          count += !is(muster::inclusive_scan(cluster, s.meeting, mine, join{}), shift, shift + thread + 1);
          break;
        case 2:
          count += !is(muster::exclusive_scan(cluster, s.meeting, mine, join{}), shift, shift + thread);
          break;
        case 3:
          count += !is(muster::broadcast(cluster, s.meeting, mine, teller).value(), shift + teller, shift + teller + 1);
          break;
      }
    }
    wrong[muster::cluster_rank(cluster) * static_cast<unsigned>(threads) + static_cast<unsigned>(thread)] = count;
  }
};

TEST_CASE("structs without a default join in the order of a cluster's threads, call after call on one storage") {
  using muster::block_dims, muster::cluster_dims;
  for_each_machine([](machine const& on) {
    hana::for_each(hana::make_tuple(shaped(cluster_dims<2>{}, block_dims<180>{}), shaped(cluster_dims<8>{}, block_dims<64>{}),
                                    shaped(cluster_dims<16>{}, block_dims<33>{})),
                   [&](auto shape) {
                     constexpr unsigned clusters = 3, blocks = static_cast<unsigned>(decltype(shape.clusters)::count);
                     std::size_t const threads = static_cast<std::size_t>(shape.dims.shape().volume()) * blocks * clusters;
                     auto wrong = on.memory(std::vector<std::int32_t>(threads, -1));
                     INFO(on.name() << ", " << name_of(shape.clusters, shape.dims));
                     on.run_clusters(muster::grid_dims(clusters * blocks), shape.clusters, shape.dims,
                                     joins_many_times<decltype(shape.clusters), decltype(shape.dims)>{}, wrong.data());
                     CHECK(wrong.to_vector() == std::vector<std::int32_t>(threads, 0));
                   });
  });
}

}  // namespace cluster_tests
