// Moving values between members that are known at compile time: whole warps, prefixes, strided and scattered sets, single lanes, own tiles.
#include "support/moves.hpp"

namespace moves_of_known_lanes {

using namespace test;

auto const kinds = hana::tuple_t<known_lanes<32, 0xffffffff>, known_lanes<16, 0xffffffff>, known_lanes<8, 0xffffffff>, known_lanes<4, 0xffffffff>,
                                 known_lanes<2, 0xffffffff>, known_lanes<1, 0xffffffff>,
                                 known_lanes<32, 0x0000ffff>,   // a prefix
                                 known_lanes<32, 0x000007ff>,   // eleven
                                 known_lanes<32, 0x55555555>,   // every second lane
                                 known_lanes<8, 0xcccccccc>,    // two of four
                                 known_lanes<8, 0x3f3f3f3f>,    // six of eight
                                 known_lanes<32, 0x3f3f3f3f>,
                                 known_lanes<32, 0x40020219>,   // lanes 0, 3, 4, 9, 17, 30
                                 known_lanes<16, 0x40020219>,   // four of them and two
                                 known_lanes<32, 0x80000000>,   // one lane
                                 known_lanes<4, 0x13579bdf>,    // tiles of one to four members
                                 known_lanes<32, 0xfffffffe>>;

auto const own_kinds = hana::tuple_t<own_tiles<16, 16>, own_tiles<8, 8>, own_tiles<4, 8>, own_tiles<2, 4>, own_tiles<1, 2>, whole_block<32, 24>, whole_block<8, 19>, whole_block<16, 4, 3, 2>>;

TEST_CASE("values move between the ranks of any set of lanes known at compile time") {
  run_matrix(kinds, hana::tuple_t<moves<std::int32_t>>);
}

TEST_CASE("values move between the ranks of own tiles and of small blocks") {
  run_matrix(own_kinds, hana::tuple_t<moves<std::int32_t>>);
}

}  // namespace moves_of_known_lanes
