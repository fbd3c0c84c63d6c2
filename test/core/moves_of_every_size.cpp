// Values of 1 to 64 bytes, odd sizes too, on one group of each kind.
#include "support/moves.hpp"

namespace moves_of_every_size {

using namespace test;

auto const kinds = hana::tuple_t<known_lanes<8, 0xffffffff>, known_lanes<32, 0x40020219>, whole_block<32, 45>, own_part_of_tile<16, 0x3f3f3f3f>>;

TEST_CASE("numbers, enumerations and structs travel whole") {
  auto const types = hana::tuple_t<some_moves<bool>, some_moves<colour>, some_moves<float>, some_moves<double>, some_moves<std::uint64_t>, some_moves<mixed>>;
  run_matrix(kinds, types);
}

TEST_CASE("values of odd sizes travel whole") {
  auto const types = hana::tuple_t<some_moves<bytes<3>>, some_moves<bytes<5>>, some_moves<bytes<12>>, some_moves<bytes<31>>, some_moves<bytes<63>>, some_moves<bytes<64>>>;
  run_matrix(kinds, types);
}

}  // namespace moves_of_every_size
