// policy::cub on 64-bit values and on small integers.
#include "support.hpp"

#include <muster/policy/cub.hpp>

namespace cub_wide_tests {

using namespace policy_test;
using policy_type = muster::policy::cub_policy;

TEST_CASE("policy::cub gives the host's folds of 64-bit and 16-bit values on a GPU") {
  on_gpu_with_nvcc([](auto target) {
    constexpr auto types = hana::tuple_t<std::int64_t, std::uint64_t, double, std::int16_t, std::uint8_t>;
    constexpr int without_width_1 = width_count - 1;
    CHECK(run_types<policy_type>(target, types) == whole_matrix(types) / width_count * without_width_1);
  });
}

}  // namespace cub_wide_tests
