// policy::cub: what it supports, what it says without a GPU, and every operator and width on one.
#include "support.hpp"

#include <muster/policy/cub.hpp>

namespace cub_tests {

using namespace policy_test;
using policy_type = muster::policy::cub_policy;

using part_of_a_warp = tile<8, muster::lanes<muster::lane_set{0xff00u}>>;
static_assert(policy_type::supports<muster::plus, float, tile<2>>() && policy_type::supports<muster::plus, float, tile<32>>());
static_assert(policy_type::supports<join, stretch, tile<8>>());             // it keeps the order
static_assert(!policy_type::supports<muster::plus, float, tile<1>>());      // nothing to do for it
static_assert(!policy_type::supports<muster::plus, float, part_of_a_warp>());
static_assert(!policy_type::supports<muster::plus, float, tile<32, muster::ragged>>());

TEST_CASE("policy::cub on the emulator says that it needs a GPU") {
  try {
    run_matrix<policy_type, std::int32_t, list<muster::plus>>(muster::on_emulator(), patterns<std::int32_t>());
    FAIL("it ran");
  } catch (muster::emulator::kernel_error const& error) {
    INFO(error.what());
    CHECK(std::string(error.what()).find("policy::cub needs a GPU") != std::string::npos);
  }
}

TEST_CASE("policy::cub gives the host's folds on a GPU") {
  on_gpu_with_nvcc([](auto target) {
    constexpr int without_width_1 = width_count - 1;
    CHECK(run_types<policy_type>(target, words) == whole_matrix(words) / width_count * without_width_1);
    CHECK(run_own_types<policy_type>(target) == 2 * results_of_an_operator / width_count * without_width_1);
  });
}

}  // namespace cub_tests
