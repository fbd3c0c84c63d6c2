// Launches in clusters and of cooperative grids are captured in a CUDA graph and run from it, more than once.
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include <muster/buffer.hpp>
#include <muster/launch.hpp>
#include <muster/muster.hpp>

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

namespace cluster_graph_tests {

struct adds_in_clusters {
  struct shared {
    muster::cluster_storage<int, muster::cluster_dims<4>, muster::block_dims<64>> fold;
  };
  MUSTER_FN void operator()(auto block, shared& s, int* out) const {
    auto const cluster = muster::this_cluster(block);
    int const sum = muster::reduce(cluster, s.fold, 1, muster::plus{});
    if (muster::thread_rank(cluster) == 0) out[muster::cluster_rank(cluster)] += sum;
  }
};

// Block by block, the sum of what the first kernel left and of what the blocks before have added.
struct doubles_in_turns {
  MUSTER_FN void operator()(auto block, int* out) const {
    auto const grid = muster::this_grid(block);
    for (unsigned turn = 0; turn < muster::num_blocks(grid); ++turn) {
      if (muster::block_rank(grid) == turn && muster::thread_rank(block) == 0) out[2] += turn == 0 ? out[0] + out[1] : out[2];
      muster::sync(grid);
    }
  }
};

template <class Target>
void launch_both(Target const& target, int* out) {
  muster::launch(target, muster::grid_dims(8), muster::cluster_dims<4>{}, muster::block_dims<64>{}, adds_in_clusters{}, out);
  muster::launch(target, muster::cooperative, muster::grid_dims(3), muster::block_dims<64>{}, doubles_in_turns{}, out);
}

TEST_CASE("cluster and cooperative launches run from a graph") {
  muster::buffer<int> on_host(muster::on_emulator(), std::vector<int>(3, 0));
  launch_both(muster::on_emulator(), on_host.data());
  CHECK(on_host.to_vector() == std::vector<int>{256, 256, 2048});
#if defined(__CUDACC__)
  if (!muster::has_device()) SKIP("there is no GPU here; this test ran on the emulator only");
  cudaStream_t stream;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  muster::buffer<int> out(muster::on_device(), std::vector<int>(3, 0));
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  launch_both(muster::on_device(stream), out.data());
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess);
  CHECK(out.to_vector() == std::vector<int>(3, 0));  // nothing has run yet
  for (int run = 0; run < 2; ++run) REQUIRE(cudaGraphLaunch(ready, stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(out.to_vector() == std::vector<int>{512, 512, 4 * (2048 + 1024)});
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
#endif
}

}  // namespace cluster_graph_tests
