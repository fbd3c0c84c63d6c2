// policy::cooperative_groups on 64-bit values and on small integers.
#include "support.hpp"

#include <muster/policy/cooperative_groups.hpp>

namespace cooperative_groups_wide_tests {

using namespace policy_test;
using policy_type = muster::policy::cooperative_groups_policy;

TEST_CASE("policy::cooperative_groups gives the host's folds of 64-bit and 16-bit values on a GPU") {
  on_gpu_with_nvcc([](auto target) {
    constexpr auto types = hana::tuple_t<std::int64_t, std::uint64_t, double, std::int16_t, std::uint8_t>;
    CHECK(run_types<policy_type>(target, types) == whole_matrix(types));
  });
}

}  // namespace cooperative_groups_wide_tests
