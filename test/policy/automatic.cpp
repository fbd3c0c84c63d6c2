// policy::automatic: every operator and width through a call without a policy's name, and which way it chooses.
#include "support.hpp"

namespace automatic_tests {

using namespace policy_test;
using policy_type = muster::policy::automatic_policy;

template <class Op, class T, class Group>
constexpr bool takes_redux = policy_type::uses_redux<Op, T, Group>();

using muster::lane_set;
using muster::lanes;

static_assert(takes_redux<muster::plus, std::int32_t, tile<32>>);
static_assert(takes_redux<muster::minimum, float, tile<32>>);
static_assert(takes_redux<muster::bit_xor, std::uint8_t, tile<32>>);
static_assert(takes_redux<muster::plus, std::int32_t, tile<32, lanes<lane_set{0x00ff00ffu}>>>);
static_assert(!takes_redux<muster::plus, float, tile<32>>);                                // no such unit
static_assert(!takes_redux<muster::multiplies, std::int32_t, tile<32>>);
static_assert(!takes_redux<muster::plus, std::int32_t, tile<8>>);                          // four masks, one after the other
static_assert(!takes_redux<muster::plus, std::int32_t, tile<32, lanes<lane_set{0xfu}>>>);  // two shuffles are sooner there
static_assert(!takes_redux<join, stretch, tile<32>>);

TEST_CASE("policy::automatic gives the host's folds on the emulator") {
  on_emulator_without_nvcc([](auto target) {
    CHECK(run_types<policy_type>(target, words) == whole_matrix(words));
    CHECK(run_own_types<policy_type>(target) == 2 * results_of_an_operator);
  });
}

TEST_CASE("policy::automatic gives the host's folds on a GPU") {
  on_gpu_with_nvcc([](auto target) {
    CHECK(run_types<policy_type>(target, words) == whole_matrix(words));
    CHECK(run_own_types<policy_type>(target) == 2 * results_of_an_operator);
  });
}

}  // namespace automatic_tests
