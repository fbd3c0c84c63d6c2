// Every operator, on types from one byte to eight and on structs, on blocks of few and of many warps.
#include "on_blocks.hpp"

namespace block_tests {

using namespace muster;

auto const shapes = hana::make_tuple(block_dims<100>{}, block_dims<256>{}, block_dims<544>{}, dynamic_block_dims{150});

TEST_CASE("minima and maxima of blocks") {
  auto const bodies = hana::tuple_t<block_folds<minimum, std::int8_t>, block_folds<maximum, std::uint16_t>, block_folds<minimum, float>, block_folds<maximum, double>,
                                    block_folds<maximum, std::int64_t>>;
  for_each_machine([&](test::machine const& on) { run_blocks(on, shapes, bodies); });
}

TEST_CASE("sums, products and bits of blocks") {
  auto const bodies = hana::tuple_t<block_folds<plus, std::uint8_t>, block_folds<plus, std::int64_t>, block_folds<multiplies, std::uint32_t>, block_folds<bit_and, std::uint64_t>,
                                    block_folds<bit_xor, std::int16_t>, block_folds<plus, double>>;
  for_each_machine([&](test::machine const& on) { run_blocks(on, shapes, bodies); });
}

}  // namespace block_tests
