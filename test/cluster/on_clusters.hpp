// Runs every algorithm of a cluster, one call after the other on one storage, on clusters and blocks of many shapes, and compares threads'
// results with a plain model.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <boost/hana.hpp>

#include <muster/muster.hpp>

#include "block/on_blocks.hpp"
#include "support/machines.hpp"

namespace cluster_tests {

using namespace test;
namespace hana = boost::hana;

template <class Body, class Clusters, class Dims>
struct on_cluster {
  using value = typename Body::value;
  struct shared {
    muster::cluster_storage<value, Clusters, Dims> meeting;
  };
  MUSTER_FN void operator()(auto block, shared& s, int threads, cell<value> const* in, cell<value>* results) const {
    auto const cluster = muster::this_cluster(block);
    int const thread = muster::thread_rank(cluster);
    result_writer<value> const out{results, threads, thread};
    Body::run(cluster, s.meeting, in[thread].value, out);
  }
};

template <class Clusters, class Dims>
std::string name_of(Clusters, Dims dims) {
  return "cluster of " + std::to_string(Clusters::count) + ", " + block_tests::name_of(dims);
}

// The first threads, those around the edges of blocks, and the last: the model takes long for each.
inline std::vector<int> sample_of(int threads, int of_block) {
  std::vector<int> chosen;
  for (int thread = 0; thread < threads; ++thread) {
    int const place = thread % of_block;
    if (threads <= 256 || place <= 1 || place >= of_block - 2 || thread % 97 == 31) chosen.push_back(thread);
  }
  return chosen;
}

template <class Body, class Clusters, class Dims>
void run_on_cluster(machine const& on, Clusters clusters, Dims dims) {
  using value = typename Body::value;
  int const of_block = static_cast<int>(dims.shape().volume()), threads = of_block * Clusters::count;
  std::vector<cell<value>> in;
  for (int thread = 0; thread < threads; ++thread) in.push_back({Body::input(thread)});
  auto const source = on.memory(in);
  auto const names = Body::names();
  auto target = on.memory(std::vector<cell<value>>(in.size() * names.size(), cell<value>{value_of<value>(987654321)}));
  std::string const about = on.name() + ", " + name_of(clusters, dims);
  INFO(about);
  auto const shape = Clusters::shape();
  on.run_clusters(muster::grid_dims(shape.x, shape.y, shape.z), clusters, dims, on_cluster<Body, Clusters, Dims>{}, threads, source.data(),
                  target.data());
  auto const got = target.to_vector();
  differences found(about + ", " + type_name<value>());
  for (std::size_t k = 0; k < names.size(); ++k) {
    for (int const thread : sample_of(threads, of_block)) {
      value expected = in[static_cast<std::size_t>(thread)].value;
      if (!Body::expected(static_cast<int>(k), in, thread, group_facts{}, expected)) FAIL("the model does not know " << names[k]);
      found.expect_same_bytes(names[k], thread, expected, got[k * in.size() + static_cast<std::size_t>(thread)].value);
    }
  }
  check(found);
}

template <class Clusters, class Dims>
struct cluster_shape {
  Clusters clusters;
  Dims dims;
};
template <class Clusters, class Dims>
cluster_shape<Clusters, Dims> shaped(Clusters clusters, Dims dims) {
  return {clusters, dims};
}

// Every pair of a shape and a body.
template <class Shapes, class Bodies>
void run_clusters(machine const& on, Shapes shapes, Bodies bodies) {
  hana::for_each(shapes, [&](auto shape) {
    hana::for_each(bodies, [&](auto body) { run_on_cluster<typename decltype(body)::type>(on, shape.clusters, shape.dims); });
  });
}

}  // namespace cluster_tests
