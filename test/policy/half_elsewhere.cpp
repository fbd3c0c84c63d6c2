// Pairs of 16-bit values through CUB and cooperative groups, whose own shuffles do not take all of them.
#include "support.hpp"

#if defined(__CUDACC__)

#include <muster/half.hpp>
#include <muster/policy/cooperative_groups.hpp>
#include <muster/policy/cub.hpp>

using namespace policy_test;

namespace {

// Each policy's result of a pair beside the shuffles'.
struct pair_sums {
  template <class Policy, class Pair>
  MUSTER_FN static void all(tile<32> warp, Pair v, Pair* out) {
    auto const group = muster::tiled_partition<16>(warp);
    int const lane = muster::thread_rank(warp);
    out[lane] = muster::reduce(Policy{}, group, v, muster::plus{}).value();
    out[32 + lane] = muster::inclusive_scan(Policy{}, group, v, muster::plus{});
    out[64 + lane] = muster::exclusive_scan(Policy{}, group, v, muster::maximum{});
  }
  template <class Pair>
  MUSTER_FN void operator()(auto block, Pair const* in, Pair* out) const {
    auto const warp = muster::this_warp(block);
    Pair const v = in[muster::thread_rank(warp)];
    all<muster::policy::shuffle_policy>(warp, v, out);
    all<muster::policy::cub_policy>(warp, v, out + 96);
    all<muster::policy::cooperative_groups_policy>(warp, v, out + 192);
  }
};

template <class Pair>
void run_pairs() {
  auto const target = muster::on_device();
  std::vector<Pair> in;
  for (int lane = 0; lane < 32; ++lane) in.push_back(Pair(static_cast<float>(lane % 7), static_cast<float>(lane % 5 - 2)));
  muster::buffer<Pair> values(target, in), out(target, 288);
  muster::launch(target, muster::grid_dims(1), muster::block_dims<32>{}, pair_sums{}, static_cast<Pair const*>(values.data()), out.data());
  muster::wait(target);
  auto const got = out.to_vector();
  for (std::size_t i = 0; i < 96; ++i) {
    INFO("result " << i);
    CHECK(test::same_bytes(got[96 + i], got[i]));
    CHECK(test::same_bytes(got[192 + i], got[i]));
  }
}

}  // namespace

TEST_CASE("CUB and cooperative groups fold pairs of 16-bit values as shuffles do, on a GPU") {
  REQUIRE_A_GPU();
  run_pairs<__half2>();
  run_pairs<__nv_bfloat162>();
}

#else

TEST_CASE("CUB and cooperative groups fold pairs of 16-bit values as shuffles do") { SKIP("not compiled by nvcc"); }

#endif
