// Reductions and scans where only the running kernel knows the members.
#include "support/folds.hpp"

namespace folds_of_groups_known_at_run_time {

using namespace test;

auto const kinds = hana::tuple_t<whole_block<32, 33>, whole_block<8, 45>, whole_block<16, 7, 3, 2>, unknown_block<32, 100>, unknown_block<32, 64>, branch_sides<32>,
                                 branch_sides<8>, nested_branches<16>, loop_survivors<32, 64>, own_part_of_tile<8, 0x3f3f3f3f>>;

TEST_CASE("sums and order-sensitive folds of members known at run time") {
  auto const bodies = hana::tuple_t<folds<muster::plus, std::int32_t>, folds<muster::plus, float>, folds<compose, affine>>;
  run_matrix(kinds, bodies);
}

}  // namespace folds_of_groups_known_at_run_time
