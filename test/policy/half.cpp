// __half and its pair, on both machines; needs the toolkit's headers, but neither nvcc nor a GPU.
#if __has_include(<cuda_fp16.h>)

#include "half_support.hpp"

namespace half_tests {

using namespace policy_test;

static_assert(muster::is_bytewise_copyable<__half2> && muster::has_no_padding<__half> && muster::has_no_padding<__half2>);
static_assert(std::is_same_v<muster::detail::accumulator_t<__half>, float>);

TEST_CASE("__half and its pair fold as the host's float does, on the emulator") {
  on_emulator_without_nvcc([](auto target) { CHECK(run_both<__half, __half2>(target) == results_of_both); });
}

TEST_CASE("__half and its pair fold as the host's float does, on a GPU") {
  on_gpu_with_nvcc([](auto target) { CHECK(run_both<__half, __half2>(target) == results_of_both); });
}

TEST_CASE("several values of __half a lane fold as pairs, and softmax sums them in float, on the emulator") {
  on_emulator_without_nvcc([](auto target) { run_several<__half>(target); });
}

TEST_CASE("several values of __half a lane fold as pairs, and softmax sums them in float, on a GPU") {
  on_gpu_with_nvcc([](auto target) { run_several<__half>(target); });
}

}  // namespace half_tests

#else

#include <catch2/catch_test_macros.hpp>

TEST_CASE("__half and its pair fold as the host's float does") { SKIP("no cuda_fp16.h on the include path"); }

#endif
