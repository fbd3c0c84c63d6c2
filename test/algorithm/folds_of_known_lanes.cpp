// Reductions and scans where the members are known at compile time.
#include "support/folds.hpp"

namespace folds_of_known_lanes {

using namespace test;

auto const kinds = hana::tuple_t<known_lanes<32, 0xffffffff>, known_lanes<16, 0xffffffff>, known_lanes<8, 0xffffffff>, known_lanes<2, 0xffffffff>, known_lanes<1, 0xffffffff>,
                                 known_lanes<32, 0xffff>, known_lanes<32, 0x7ff>, known_lanes<32, 0x55555555>, known_lanes<8, 0x3f3f3f3f>, known_lanes<32, 0x40020219>,
                                 known_lanes<4, 0x13579bdf>, known_lanes<32, 0x80000000>, own_tiles<8, 8>, own_tiles<4, 16>>;

TEST_CASE("sums and order-sensitive folds of members known at compile time") {
  auto const bodies = hana::tuple_t<folds<muster::plus, std::int32_t>, folds<muster::plus, float>, folds<compose, affine>>;
  run_matrix(kinds, bodies);
}

}  // namespace folds_of_known_lanes
