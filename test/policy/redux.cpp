// policy::redux: integers of all sizes, the ordered keys of floats, 64-bit sums in parts, and groups that are not whole tiles.
#include "support.hpp"

namespace redux_tests {

using namespace policy_test;
using policy_type = muster::policy::redux_policy;

template <class Op, class T>
constexpr bool supported = policy_type::supports<Op, T, tile<32>>();

static_assert(supported<muster::plus, std::int8_t> && supported<muster::minimum, std::uint16_t> && supported<muster::bit_or, std::int32_t>);
static_assert(supported<muster::plus, std::int64_t> && supported<muster::bit_and, std::uint64_t> && supported<muster::maximum, float>);
static_assert(!supported<muster::multiplies, std::int32_t>);
static_assert(!supported<muster::plus, float>);
static_assert(!supported<muster::minimum, std::int64_t>);
static_assert(!supported<muster::minimum, double>);
static_assert(!supported<add_counters, counters>);

// Reductions of an operator and pattern.
constexpr int reductions = width_count * lanes_of_a_warp;
constexpr int of_integers = 6 * 7 * reductions;       // all but products; patterns
constexpr int of_wide_integers = 4 * 7 * reductions;  // sums and bits
constexpr int of_floats = 2 * (4 + 2) * reductions;   // minima and maxima

template <class Target>
void run_all(Target const& target) {
  CHECK(run_types<policy_type>(target, narrow_words) == 4 * of_integers);
  CHECK(run_types<policy_type>(target, words) == 2 * of_integers + of_floats);
  CHECK(run_types<policy_type>(target, wide_words) == 2 * of_wide_integers);
}

TEST_CASE("policy::redux gives the host's folds on the emulator") {
  on_emulator_without_nvcc([](auto target) { run_all(target); });
}

TEST_CASE("policy::redux gives the host's folds on a GPU") {
  on_gpu_with_nvcc([](auto target) { run_all(target); });
}

// Six lanes as one group and as tiles of 8, and the lanes for which a condition holds.
struct partial_sets {
  template <class Group, class T>
  MUSTER_FN static void both(Group g, T v, T* by_redux, T* by_shuffle, int at) {
    by_redux[at] = muster::reduce(muster::policy::redux, g, v, muster::plus{}).value();
    by_shuffle[at] = muster::reduce(muster::policy::shuffle, g, v, muster::plus{}).value();
  }
  template <class T>
  MUSTER_FN void operator()(auto block, T const* in, T* by_redux, T* by_shuffle) const {
    auto const warp = muster::this_warp(block);
    int const lane = muster::thread_rank(warp);
    T const v = in[lane];
    muster::only<muster::lane_set{0x40020219u}>(warp, [&](auto warp) {
      both(warp, v, by_redux, by_shuffle, lane);
      both(muster::tiled_partition<8>(warp), v, by_redux, by_shuffle, 32 + lane);
    });
    muster::branch(
        warp, lane % 3 == 1, [&](auto warp) { both(warp, v, by_redux, by_shuffle, 64 + lane); },
        [&](auto warp) { both(muster::tiled_partition<16>(warp), v, by_redux, by_shuffle, 64 + lane); });
  }
};

template <class T, class Target>
void run_partial_sets(Target const& target) {
  for (pattern<T> const& in : patterns<T>()) {
    std::vector<T> const nothing(96, T(0));
    muster::buffer<T> values(target, in.values), by_redux(target, nothing), by_shuffle(target, nothing);
    muster::launch(target, muster::grid_dims(1), muster::block_dims<32>{}, partial_sets{}, static_cast<T const*>(values.data()), by_redux.data(), by_shuffle.data());
    muster::wait(target);
    auto const got = by_redux.to_vector();
    INFO(in.name);
    CHECK(got == by_shuffle.to_vector());

    T six = T(0), third = T(0);
    for (int lane = 0; lane < 32; ++lane) {
      if ((0x40020219u >> lane & 1u) != 0) six = host_math<T>::sum(six, in.values[static_cast<std::size_t>(lane)]);
      if (lane % 3 == 1) third = host_math<T>::sum(third, in.values[static_cast<std::size_t>(lane)]);
    }
    CHECK(got[0] == six);
    CHECK(got[30] == six);
    CHECK(got[64 + 1] == third);
    CHECK(got[64 + 31] == third);
  }
}

TEST_CASE("policy::redux on parts of a warp agrees with shuffles on the emulator") {
  run_partial_sets<std::int32_t>(muster::on_emulator());
  run_partial_sets<std::int64_t>(muster::on_emulator());
}

TEST_CASE("policy::redux on parts of a warp agrees with shuffles on a GPU") {
  REQUIRE_A_GPU();
  run_partial_sets<std::int32_t>(muster::on_device());
  run_partial_sets<std::int64_t>(muster::on_device());
}

}  // namespace redux_tests
