// Moving values between members that only the running kernel knows: ragged warps, sides of branches, survivors of a loop.
#include "support/moves.hpp"

namespace {

using namespace test;

auto const ragged_kinds = hana::tuple_t<whole_block<32, 33>, whole_block<32, 45>, whole_block<8, 48>, whole_block<16, 100>, whole_block<32, 7, 3, 2>,
                                        unknown_block<32, 64>, unknown_block<8, 19>, unknown_block<32, 10, 10>>;

auto const dynamic_kinds = hana::tuple_t<branch_sides<32>, branch_sides<8>, branch_sides<32, 0x3f3f3f3f>, nested_branches<16>, loop_survivors<32, 64>, loop_survivors<8, 45>,
                                         own_part_of_tile<8, 0x3f3f3f3f>>;

TEST_CASE("values move between the ranks of ragged warps") {
  run_matrix(ragged_kinds, hana::tuple_t<moves<std::int32_t>>);
}

TEST_CASE("values move between the ranks of groups found by a vote") {
  run_matrix(dynamic_kinds, hana::tuple_t<moves<std::int32_t>>);
}

}  // namespace
