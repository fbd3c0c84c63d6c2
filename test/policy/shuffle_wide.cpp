// policy::shuffle on 64-bit values: every operator and width, on both machines.
#include "support.hpp"

namespace shuffle_wide_tests {

using namespace policy_test;
using policy_type = muster::policy::shuffle_policy;

TEST_CASE("policy::shuffle gives the host's folds of 64-bit values on the emulator") {
  on_emulator_without_nvcc([](auto target) { CHECK(run_types<policy_type>(target, wide_words) == whole_matrix(wide_words)); });
}

TEST_CASE("policy::shuffle gives the host's folds of 64-bit values on a GPU") {
  on_gpu_with_nvcc([](auto target) { CHECK(run_types<policy_type>(target, wide_words) == whole_matrix(wide_words)); });
}

}  // namespace shuffle_wide_tests
