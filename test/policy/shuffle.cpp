// policy::shuffle on 32-bit values and on types of one's own: every operator and width, on both machines.
#include "support.hpp"

namespace shuffle_tests {

using namespace policy_test;
using policy_type = muster::policy::shuffle_policy;

TEST_CASE("policy::shuffle gives the host's folds on the emulator") {
  on_emulator_without_nvcc([](auto target) {
    CHECK(run_types<policy_type>(target, words) == whole_matrix(words));
    CHECK(run_own_types<policy_type>(target) == 2 * results_of_an_operator);
  });
}

TEST_CASE("policy::shuffle gives the host's folds on a GPU") {
  on_gpu_with_nvcc([](auto target) {
    CHECK(run_types<policy_type>(target, words) == whole_matrix(words));
    CHECK(run_own_types<policy_type>(target) == 2 * results_of_an_operator);
  });
}

}  // namespace shuffle_tests
