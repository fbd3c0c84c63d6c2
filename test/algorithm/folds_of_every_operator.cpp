// Every operator, on types from one byte to eight, on one group of each kind.
#include "support/folds.hpp"

namespace {

using namespace test;
using namespace muster;

auto const kinds = hana::tuple_t<known_lanes<32, 0xffffffff>, known_lanes<8, 0x3f3f3f3f>, whole_block<32, 45>, own_part_of_tile<16, 0x3f3f3f3f>>;

TEST_CASE("minima and maxima") {
  auto const bodies = hana::tuple_t<folds<minimum, std::int8_t>, folds<maximum, std::uint16_t>, folds<minimum, float>, folds<maximum, double>, folds<maximum, std::int64_t>>;
  run_matrix(kinds, bodies);
}

TEST_CASE("sums, products, bits and first values") {
  auto const bodies = hana::tuple_t<folds<plus, std::uint8_t>, folds<plus, std::int64_t>, folds<multiplies, std::uint32_t>, folds<bit_and, std::uint64_t>, folds<bit_or, std::int16_t>,
                                    folds<bit_xor, std::uint32_t>, folds<first_of, std::int32_t>>;
  run_matrix(kinds, bodies);
}

}  // namespace
