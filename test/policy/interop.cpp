// Function objects of the standard library and of CUDA's as operators.
#include "support.hpp"

#include <muster/interop.hpp>

namespace interop_tests {

using namespace policy_test;

template <class F>
using operator_of = decltype(muster::as_operator(F{}));

static_assert(std::is_same_v<operator_of<std::plus<>>, muster::plus>);
static_assert(std::is_same_v<operator_of<std::multiplies<>>, muster::multiplies>);
static_assert(std::is_same_v<operator_of<std::bit_and<>>, muster::bit_and>);
static_assert(std::is_same_v<operator_of<std::bit_or<>>, muster::bit_or>);
static_assert(std::is_same_v<operator_of<std::bit_xor<>>, muster::bit_xor>);
static_assert(std::is_same_v<operator_of<muster::minimum>, muster::minimum>);
static_assert(std::is_same_v<operator_of<add_counters>, add_counters>);
#if defined(__CUDACC__)
static_assert(std::is_same_v<operator_of<cuda::std::plus<>>, muster::plus>);
static_assert(std::is_same_v<operator_of<cuda::std::multiplies<>>, muster::multiplies>);
static_assert(std::is_same_v<operator_of<cuda::std::bit_and<>>, muster::bit_and>);
static_assert(std::is_same_v<operator_of<cuda::std::bit_or<>>, muster::bit_or>);
static_assert(std::is_same_v<operator_of<cuda::std::bit_xor<>>, muster::bit_xor>);
static_assert(std::is_same_v<operator_of<cuda::minimum<>>, muster::minimum>);
static_assert(std::is_same_v<operator_of<cuda::maximum<>>, muster::maximum>);
#endif

// A difference is no fold, under whatever name it comes.
static_assert(!muster::monoid_for<std::minus<>, int> && !muster::monoid_for<std::divides<>, float>);

// A function object from elsewhere, which its user says is muster::maximum.
namespace elsewhere {
struct larger {
  int operator()(int a, int b) const { return a < b ? b : a; }
};
}  // namespace elsewhere

}  // namespace interop_tests

MUSTER_BEGIN
template <>
struct operator_for<interop_tests::elsewhere::larger> {
  using type = maximum;
};
MUSTER_END

namespace interop_tests {

static_assert(std::is_same_v<operator_of<elsewhere::larger>, muster::maximum>);

struct folds_by_function_objects {
  MUSTER_FN void operator()(auto block, int const* in, int* sum, int* bits, int* largest) const {
    auto const warp = muster::this_warp(block);
    int const lane = muster::thread_rank(warp);
    sum[lane] = muster::inclusive_scan(warp, in[lane], muster::as_operator(std::plus<>{}));
    bits[lane] = muster::reduce(warp, in[lane], muster::as_operator(std::bit_xor<>{})).value();
    largest[lane] = muster::reduce(muster::policy::shuffle, warp, in[lane], muster::as_operator(elsewhere::larger{})).value();
  }
};

template <class Target>
void run(Target const& target) {
  std::vector<int> in(primes, primes + 32);
  muster::buffer<int> values(target, in), sums(target, 32), bits(target, 32), largest(target, 32);
  muster::launch(target, muster::grid_dims(1), muster::block_dims<32>{}, folds_by_function_objects{}, static_cast<int const*>(values.data()), sums.data(), bits.data(),
                 largest.data());
  muster::wait(target);
  int sum = 0, all_bits = 0;
  for (int prime : primes) all_bits ^= prime;
  auto const got_sums = sums.to_vector(), got_bits = bits.to_vector(), got_largest = largest.to_vector();
  for (std::size_t lane = 0; lane < 32; ++lane) {
    CHECK(got_sums[lane] == (sum += primes[lane]));
    CHECK(got_bits[lane] == all_bits);
    CHECK(got_largest[lane] == 131);
  }
}

TEST_CASE("function objects of other libraries fold as muster's operators on the emulator") { run(muster::on_emulator()); }

TEST_CASE("function objects of other libraries fold as muster's operators on a GPU") {
  REQUIRE_A_GPU();
  run(muster::on_device());
}

}  // namespace interop_tests
