// Few rows, whose kernel begins while the one before it still runs: it reads what that one writes, and writes what that one reads.
#include "device/support.hpp"

using namespace device_tests;

namespace early_rows {

// Values that depend on a number, or NaN; written late.
struct written_late {
  MUSTER_FN void operator()(auto block, float* out, long long count, unsigned number, unsigned rounds) const {
    long long const i = muster::block_rank(block).value() * muster::num_threads(block) + muster::thread_rank(block);
    unsigned chaos = static_cast<unsigned>(i) * 747796405u + number;
    for (unsigned r = 0; r < rounds; ++r) chaos = chaos * 1664525u + 1013904223u;
    if (i < count) out[i] = number == 0 ? __builtin_nanf("") : static_cast<float>(chaos >> 8) / 4194304.0f - 2;
  }
};

template <class Target>
void write_late(Target const& target, muster::buffer<float>& to, unsigned number, unsigned rounds) {
  long long const count = static_cast<long long>(to.size());
  muster::launch(target, muster::grid_dims(static_cast<unsigned>((count + 127) / 128)), muster::block_dims<128>{}, written_late{}, to.data(), count, number, rounds);
}

// The rows' first and last, of which one is compared with what the host makes of the same values.
template <class Target>
void check(Target const& target, long long rows, long long columns, unsigned rounds) {
  std::size_t const count = static_cast<std::size_t>(rows * columns);
  muster::buffer<float> in(target, count), out(target, count), next(target, count), values(target, count), alone(target, count);
  auto const softmax = [&](auto& from, auto& to) { device::softmax(target, static_cast<float const*>(from.data()), to.data(), rows, columns); };
  std::string found;
  for (unsigned number = 1; number <= 4 && found.empty(); ++number) {
    write_late(target, in, 0, 1);
    write_late(target, next, 0, 1);
    write_late(target, in, number, rounds);
    softmax(in, out);
    write_late(target, in, 0, rounds);  // the kernel before it has read all
    softmax(out, next);
    softmax(next, out);  // overwrites what the one before it reads
    auto const got = out.to_vector();

    write_late(target, values, number, rounds);
    muster::wait(target);
    for (auto const& [from, to] : {std::pair{&values, &alone}, std::pair{&alone, &values}, std::pair{&values, &alone}}) {
      softmax(*from, *to);
      muster::wait(target);
    }
    if (got != alone.to_vector()) found = "call " + std::to_string(number) + " read or wrote too early";
    if (number > 1) continue;
    write_late(target, in, number, rounds);
    auto const first = in.to_vector();
    softmax(in, next);
    auto const once = next.to_vector();
    for (long long const r : {0LL, rows - 1})
      if (found.empty()) found = difference<float, float>(operation::softmax, {first.begin() + r * columns, first.begin() + (r + 1) * columns}, once.data() + r * columns, muster::empty_row::nan);
  }
  INFO(rows << " x " << columns << ", " << rounds << " rounds");
  CHECK(found == "");
}

TEST_CASE("few rows read what the kernel before them wrote") {
  for_each_target([]([[maybe_unused]] char const* name, auto const& target) {
#if defined(__CUDACC__)
    for (int repeated = 0; repeated < 5; ++repeated)
      for (long long const columns : {256, 1024, 2048, 4096, 8192, 32768})
        for (long long const rows : {1, 4, 16})
          for (unsigned const rounds : {1u, 1000u, 20000u}) check(target, rows, columns, rounds);
#else
    for (long long const columns : {256, 2048}) check(target, 3, columns, 1);
#endif
  });
}

TEST_CASE("few rows read what a copy, a kernel of another stream and a call before them wrote, in a graph too") {
#if !defined(__CUDACC__)
  SKIP("streams and graphs are of GPUs; this program was built without CUDA");
#else
  if (!muster::has_device()) SKIP("there is no GPU here");
  constexpr long long rows = 4, columns = 4096, count = rows * columns;
  constexpr unsigned late = 20000;
  cudaStream_t stream = nullptr, beside = nullptr;
  cudaEvent_t forked = nullptr, joined = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&beside) == cudaSuccess);
  REQUIRE(cudaEventCreate(&forked) == cudaSuccess);
  REQUIRE(cudaEventCreate(&joined) == cudaSuccess);
  auto const target = muster::on_device(stream), other = muster::on_device(beside);
  std::vector<float> first(count);
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = static_cast<float>(test::scrambled(i) % 8192) / 1024 - 4;
  muster::buffer<float> source(target, first), in(target, count), of_copy(target, count), of_kernel(target, count), of_call(target, count);
  auto const softmax = [&](auto& from, auto& to) { device::softmax(target, static_cast<float const*>(from.data()), to.data(), rows, columns); };

  muster::buffer<float> wanted_of_copy(target, count), wanted_of_call(target, count), wanted_of_kernel(target, count);
  auto const alone = [&](auto& from, auto& to) {
    muster::wait(target);
    softmax(from, to);
    muster::wait(target);
  };
  alone(source, wanted_of_copy);
  alone(wanted_of_copy, wanted_of_call);
  write_late(target, in, 5, late);
  alone(in, wanted_of_kernel);

  auto const in_turn = [&] {
    REQUIRE(cudaMemsetAsync(in.data(), 0xff, count * sizeof(float), stream) == cudaSuccess);
    REQUIRE(cudaMemcpyAsync(in.data(), source.data(), count * sizeof(float), cudaMemcpyDeviceToDevice, stream) == cudaSuccess);
    softmax(in, of_copy);
    softmax(of_copy, of_call);
    REQUIRE(cudaEventRecord(forked, stream) == cudaSuccess);
    REQUIRE(cudaStreamWaitEvent(beside, forked) == cudaSuccess);
    write_late(other, in, 5, late);
    REQUIRE(cudaEventRecord(joined, beside) == cudaSuccess);
    write_late(target, of_kernel, 0, 1);
    REQUIRE(cudaStreamWaitEvent(stream, joined) == cudaSuccess);
    softmax(in, of_kernel);
  };
  auto const check_results = [&] {
    muster::wait(target);
    REQUIRE(of_copy.to_vector() == wanted_of_copy.to_vector());
    REQUIRE(of_call.to_vector() == wanted_of_call.to_vector());
    REQUIRE(of_kernel.to_vector() == wanted_of_kernel.to_vector());
  };
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  in_turn();
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&replay, graph, 0) == cudaSuccess);
  for (int repeated = 0; repeated < 50; ++repeated) {
    in_turn();
    check_results();
    REQUIRE(cudaGraphLaunch(replay, stream) == cudaSuccess);
    check_results();
  }
  cudaGraphExecDestroy(replay);
  cudaGraphDestroy(graph);
  for (auto const event : {forked, joined}) cudaEventDestroy(event);
  for (auto const each : {stream, beside}) cudaStreamDestroy(each);
#endif
}

}  // namespace early_rows
