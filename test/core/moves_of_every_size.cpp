// Values of 1 to 64 bytes, odd sizes too, on one group of each kind.
#include "support/moves.hpp"

namespace {

using namespace test;

auto const kinds = hana::tuple_t<known_lanes<8, 0xffffffff>, known_lanes<32, 0x40020219>, whole_block<32, 45>, branch_sides<16>>;

TEST_CASE("numbers, enumerations and structs travel whole") {
  auto const types = hana::tuple_t<moves<bool>, moves<colour>, moves<float>, moves<double>, moves<std::uint64_t>, moves<mixed>>;
  for_each_machine([&](machine const& on) { run_all(on, kinds, types); });
}

// Words are what a larger value multiplies: three ways of moving them are enough.
auto const fewer_kinds = hana::tuple_t<known_lanes<8, 0xffffffff>, known_lanes<32, 0x40020219>, whole_block<32, 45>>;

TEST_CASE("values of odd sizes travel whole") {
  auto const types = hana::tuple_t<moves<bytes<3>>, moves<bytes<5>>, moves<bytes<12>>, moves<bytes<31>>, moves<bytes<63>>, moves<bytes<64>>>;
  for_each_machine([&](machine const& on) { run_all(on, fewer_kinds, types); });
}

}  // namespace
