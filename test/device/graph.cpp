// Calls captured in a graph: they neither allocate nor synchronise, and a replay works on what the matrices then hold.
#include "device/support.hpp"

using namespace device_tests;

TEST_CASE("calls of every way to hold a row are captured in a graph and replayed on other values") {
#if !defined(__CUDACC__)
  SKIP("graphs are of GPUs; this program was built without CUDA");
#else
  if (!muster::has_device()) SKIP("there is no GPU here");
  constexpr long long sizes[] = {32, 63, 2048, 2049, 50000, 50001, 400000};  // tiles, blocks, clusters, and a row that is read twice
  constexpr long long longest = 400000, rows = 3;
  std::vector<float> first(rows * longest, 1.0f), second(first.size());
  for (std::size_t i = 0; i < second.size(); ++i) second[i] = static_cast<float>(i % 11) - 5;
  for (long long const columns : sizes) {
    cudaStream_t stream = nullptr;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    auto const target = muster::on_device(stream);
    auto in = muster::buffer<float>(target, first);
    auto out = muster::buffer<float>(target, first);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t replay = nullptr;
    REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
    device::softmax(target, static_cast<float const*>(in.data()), out.data(), rows, columns);
    REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    REQUIRE(cudaGraphInstantiate(&replay, graph, 0) == cudaSuccess);
    in.copy_from(second);
    REQUIRE(cudaGraphLaunch(replay, stream) == cudaSuccess);
    auto const got = out.to_vector();
    std::string found;
    for (long long r = 0; r < rows && found.empty(); ++r) {
      std::vector<double> const row(second.begin() + r * columns, second.begin() + (r + 1) * columns);
      found = difference<float, float>(operation::softmax, row, got.data() + r * columns, muster::empty_row::nan);
    }
    INFO(columns << " columns");
    CHECK(found == "");
    cudaGraphExecDestroy(replay);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
  }
#endif
}
