// Votes, matches, ranks and counts on every kind of members.
#include "support/votes.hpp"

namespace {

using namespace test;

TEST_CASE("votes, matches and ranks of members known at compile time") {
  auto const kinds = hana::tuple_t<known_lanes<32, 0xffffffff>, known_lanes<8, 0xffffffff>, known_lanes<1, 0xffffffff>, known_lanes<32, 0x7ff>, known_lanes<8, 0x3f3f3f3f>,
                                   known_lanes<32, 0x40020219>, known_lanes<4, 0x13579bdf>, known_lanes<32, 0x80000000>, own_tiles<8, 8>, own_tiles<4, 16>>;
  run_matrix(kinds, hana::tuple_t<votes>);
}

TEST_CASE("votes, matches and ranks of members known at run time") {
  auto const kinds = hana::tuple_t<whole_block<32, 33>, whole_block<8, 45>, whole_block<16, 7, 3, 2>, unknown_block<32, 100>, branch_sides<32>, branch_sides<8>,
                                   nested_branches<16>, loop_survivors<32, 64>, own_part_of_tile<8, 0x3f3f3f3f>>;
  run_matrix(kinds, hana::tuple_t<votes>);
}

}  // namespace
