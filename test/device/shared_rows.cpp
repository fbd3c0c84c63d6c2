// Rows that several blocks share: a cluster, and teams of a grid, which hold a part and read the rest twice. Small shapes of the same kernels, so that short rows come to
// every case; and the calls with a workspace.
#include "device/support.hpp"

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include <catch2/matchers/catch_matchers_string.hpp>

#include <muster/device/three_launches.hpp>

using namespace device_tests;

namespace shared_row_tests {

namespace detail = device::detail;
using vectors = detail::whole_accesses<16>;
using edged = detail::edged_vectors;
template <class T>
using values = detail::whole_accesses<sizeof(T)>;

template <operation What>
using result_of = std::conditional_t<What == operation::softmax, detail::softmax_result<muster::empty_row::nan>,
                                     std::conditional_t<What == operation::log_softmax, detail::log_softmax_result<muster::empty_row::nan>, detail::log_sum_exp_result>>;

// What one shape makes of rows around each size at which its blocks come to hold another access, in every content.
template <operation What, class T, class Accesses, class Target, class Launch>
std::string compare_shape(Target const& target, std::vector<place> const& places, Launch const& launch) {
  for (place p : places) {
    p.in_place = p.in_place && What != operation::log_sum_exp;
    for (content const filled : all_contents) {
      std::string const found = compare_run<What, T, T>(target, filled, p, [&](T const* from, T* to, device::row_strides strides) {
        long long const width = What == operation::log_sum_exp ? 1 : p.columns;
        launch(device::matrix<T const>{from, p.rows, p.columns, strides.in}, device::matrix<T>{to, p.rows, width, strides.out});
      });
      if (!found.empty()) return found;
    }
  }
  return "";
}

// Rows of 1 to somewhat more than `most` values; aligned, or beginning anywhere.
template <class Accesses, class T>
std::vector<place> places_up_to(long long most) {
  std::vector<place> result;
  constexpr long long v = std::is_same_v<Accesses, vectors> ? detail::vector_size<T> : 1;
  for (long long n = v; n <= most; n += (n / 3 / v + 1) * v) {
    place p{n % 7 + 1, n};
    if (v == 1) p.in_offset = p.out_offset = n % 5;
    if (v == 1) p.in_pad = p.out_pad = n % 3;
    result.push_back(p);
    p.in_place = result.size() % 3 == 0;
    result.push_back({1, n, p.in_offset, p.out_offset, 0, 0, p.in_place});
  }
  return result;
}

template <operation What, class T, class Accesses, int Blocks, int Threads, int Slots, class Target>
std::string compare_clusters(Target const& target) {
  using A = detail::computed<T>;
  long long const most = static_cast<long long>(Blocks) * Threads * Slots * detail::vector_size<T>;
  return compare_shape<What, T, Accesses>(target, places_up_to<Accesses, T>(most), [&](auto in, auto out) {
    detail::softmax_by_clusters<result_of<What>, A, Blocks, Threads, Slots, Accesses> const kernel;
    muster::launch(target, muster::grid_dims(static_cast<unsigned>(in.rows * Blocks)), muster::cluster_dims<Blocks>{}, muster::block_dims<Threads>{}, kernel, in, out,
                   device::as_is{}, device::as_is{});
  });
}

template <operation What, class T, class Accesses, class Shape, class Target>
std::string compare_grids(Target const& target, int multiprocessors) {
  device::row_machine const on{multiprocessors, true};
  auto parts = muster::buffer<double>(target, std::vector<double>(detail::parts_bytes(on) / sizeof(double), 1e300));
  long long const most = 3ll * multiprocessors * Shape::threads * Shape::slots * (std::is_same_v<Accesses, values<T>> ? 1 : detail::vector_size<T>);
  return compare_shape<What, T, Accesses>(target, places_up_to<Accesses, T>(most), [&](auto in, auto out) {
    detail::launch_grid<result_of<What>, Shape, Accesses>(target, on, parts.data(), in, out, device::as_is{}, device::as_is{});
  });
}

TEST_CASE("clusters of blocks share rows of every content") {
  for_each_target([](char const* name, auto target) {
    INFO(name);
    CHECK(compare_clusters<operation::softmax, float, vectors, 2, 64, 2>(target) == "");
    CHECK(compare_clusters<operation::log_softmax, float, edged, 3, 32, 2>(target) == "");
    CHECK(compare_clusters<operation::softmax, float, edged, 8, 32, 2>(target) == "");
    CHECK(compare_clusters<operation::log_sum_exp, double, vectors, 8, 64, 1>(target) == "");
  });
}

TEST_CASE("teams of blocks share rows of every content, in registers and shared memory, and read twice what is beyond that") {
  for_each_target([](char const* name, auto target) {
    INFO(name);
    CHECK(compare_grids<operation::softmax, float, vectors, detail::grid_shape<64, 4, 2, 2, 1>>(target, 5) == "");
    CHECK(compare_grids<operation::softmax, float, edged, detail::grid_shape<64, 5, 2, 2, 1>>(target, 3) == "");
    CHECK(compare_grids<operation::log_softmax, float, values<float>, detail::grid_shape<32, 4, 0, 4, 2>>(target, 2) == "");
    CHECK(compare_grids<operation::log_sum_exp, double, vectors, detail::grid_shape<64, 3, 2, 1, 1>>(target, 4) == "");
  });
}

TEST_CASE("with a workspace long rows come out as without one, and the same in every run") {
  for_each_target([](char const* name, auto target) {
    INFO(name);
    auto memory = muster::buffer<double>(target, std::vector<double>(device::workspace_bytes(target) / sizeof(double), -1));
    device::workspace const w{memory.data(), memory.size() * sizeof(double)};
    for (int run = 0; run < 3; ++run) {
      for (place const p : {place{2, 300000}, place{1, 270001, 1, 1}, place{2, 270000, 1, 0}}) {
        CHECK(compare_run<operation::softmax, float, float>(target, content::wide, p, [&](float const* from, float* to, device::row_strides strides) {
          if (run == 0) device::softmax(target, device::stream_ordered, from, to, p.rows, p.columns, strides);
          else device::softmax(target, w, from, to, p.rows, p.columns, strides);
        }) == "");
      }
    }
  });
}

TEST_CASE("three launches give what one does") {
  for_each_target([](char const* name, auto target) {
    INFO(name);
    for (content const filled : all_contents)
      for (place const p : {place{3, 9000}, place{2, 5001, 1, 1, 2, 2}, place{2, 3001, 1, 0}, place{5, 1}}) {
        INFO(p.text());
        CHECK(compare_run<operation::softmax, float, float>(target, filled, p, [&](float const* from, float* to, device::row_strides strides) {
          device::softmax_in_three_launches(target, device::stream_ordered, from, to, p.rows, p.columns, strides);
        }) == "");
      }
  });
}

TEST_CASE("calls with a workspace, the caller's or the stream's, are captured in a graph and replayed on other values") {
#if !defined(__CUDACC__)
  SKIP("graphs are of GPUs; this program was built without CUDA");
#else
  if (!muster::has_device()) SKIP("there is no GPU here");
  constexpr long long rows = 2, columns = 400000;
  std::vector<float> first(rows * columns, 1.0f), second(first.size());
  for (std::size_t i = 0; i < second.size(); ++i) second[i] = static_cast<float>(i % 11) - 5;
  for (bool const of_the_stream : {false, true}) {
    cudaStream_t stream = nullptr;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    auto const target = muster::on_device(stream);
    auto in = muster::buffer<float>(target, first);
    auto out = muster::buffer<float>(target, first);
    auto memory = muster::buffer<double>(target, std::vector<double>(device::workspace_bytes(target) / sizeof(double)));
    float const* const from = in.data();
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t replay = nullptr;
    REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
    if (of_the_stream) device::softmax(target, device::stream_ordered, from, out.data(), rows, columns);
    else device::softmax(target, device::workspace{memory.data(), memory.size() * sizeof(double)}, from, out.data(), rows, columns);
    REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    REQUIRE(cudaGraphInstantiate(&replay, graph, 0) == cudaSuccess);
    in.copy_from(second);
    for (int i = 0; i < 2; ++i) REQUIRE(cudaGraphLaunch(replay, stream) == cudaSuccess);
    auto const got = out.to_vector();
    for (long long r = 0; r < rows; ++r) {
      std::vector<double> const row(second.begin() + r * columns, second.begin() + (r + 1) * columns);
      CHECK(difference<float, float>(operation::softmax, row, got.data() + r * columns, muster::empty_row::nan) == "");
    }
    cudaGraphExecDestroy(replay);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
  }
#endif
}

TEST_CASE("a workspace that is too small, null or crooked is refused, and nothing is written") {
  auto const target = muster::on_emulator();
  std::vector<float> in(16, 1.0f), out(16, -7.0f);
  std::vector<double> memory(device::workspace_bytes(target) / sizeof(double) + 2);
  auto const refusal = [&](device::workspace w) -> std::string {
    try {
      device::softmax(target, w, static_cast<float const*>(in.data()), out.data(), 4, 4);
    } catch (muster::launch_error const& error) {
      return error.what();
    }
    return "nothing was refused";
  };
  using Catch::Matchers::ContainsSubstring;
  std::size_t const bytes = device::workspace_bytes(target);
  CHECK_THAT(refusal({memory.data(), bytes - 1}), ContainsSubstring("muster::device::softmax") && ContainsSubstring(std::to_string(bytes - 1) + " bytes"));
  CHECK_THAT(refusal({nullptr, bytes}), ContainsSubstring("null pointer"));
  CHECK_THAT(refusal({reinterpret_cast<char*>(memory.data()) + 1, bytes}), ContainsSubstring("multiple of 16"));
  CHECK(out == std::vector<float>(16, -7.0f));
}

}  // namespace shared_row_tests
