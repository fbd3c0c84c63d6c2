// policy::cooperative_groups: what it supports, what it says without a GPU, and every operator and width on one.
#include "support.hpp"

#include <muster/policy/cooperative_groups.hpp>

namespace cooperative_groups_tests {

using namespace policy_test;
using policy_type = muster::policy::cooperative_groups_policy;

struct bytes_33 {
  unsigned char byte[33];
};
struct first_byte_sum {
  static constexpr bool is_commutative = true;
  template <class T>
  MUSTER_FN static T identity() {
    return T{};
  }
  MUSTER_FN bytes_33 operator()(bytes_33 a, bytes_33 const& b) const {
    a.byte[0] = static_cast<unsigned char>(a.byte[0] + b.byte[0]);
    return a;
  }
};

static_assert(policy_type::supports<muster::plus, float, tile<1>>() && policy_type::supports<muster::plus, float, tile<32>>());
static_assert(policy_type::supports<add_counters, counters, tile<8>>());
static_assert(!policy_type::supports<join, stretch, tile<8>>());                    // it reorders
static_assert(!policy_type::supports<first_byte_sum, bytes_33, tile<8>>());         // larger than it moves
static_assert(!policy_type::supports<muster::plus, float, tile<8, muster::lanes<muster::lane_set{0xff00u}>>>());
static_assert(!policy_type::supports<muster::plus, float, tile<32, muster::ragged>>());

TEST_CASE("policy::cooperative_groups on the emulator says that it needs a GPU") {
  try {
    run_matrix<policy_type, std::int32_t, list<muster::plus>>(muster::on_emulator(), patterns<std::int32_t>());
    FAIL("it ran");
  } catch (muster::emulator::kernel_error const& error) {
    INFO(error.what());
    CHECK(std::string(error.what()).find("policy::cooperative_groups needs a GPU") != std::string::npos);
  }
}

TEST_CASE("policy::cooperative_groups gives the host's folds on a GPU") {
  on_gpu_with_nvcc([](auto target) {
    CHECK(run_types<policy_type>(target, words) == whole_matrix(words));
    CHECK(run_own_types<policy_type>(target) == results_of_an_operator);
  });
}

}  // namespace cooperative_groups_tests
