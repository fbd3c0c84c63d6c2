// Reductions, scans and broadcasts of blocks whose shape is known at compile time: whole warps, ragged last warps, two and three dimensions.
#include "on_blocks.hpp"

namespace block_tests {

using muster::block_dims;

auto const bodies = hana::tuple_t<block_folds<muster::plus, std::int32_t>, block_folds<muster::plus, float>, block_folds<compose, affine>>;

TEST_CASE("folds of blocks of one warp") {
  for_each_machine([](machine const& on) { run_blocks(on, hana::make_tuple(block_dims<1>{}, block_dims<20>{}, block_dims<4, 4, 2>{}), bodies); });
}

TEST_CASE("folds of blocks of whole warps") {
  for_each_machine([](machine const& on) { run_blocks(on, hana::make_tuple(block_dims<64>{}, block_dims<128>{}, block_dims<16, 16>{}, block_dims<512>{}, block_dims<1024>{}), bodies); });
}

TEST_CASE("folds of blocks with a ragged last warp") {
  for_each_machine(
      [](machine const& on) { run_blocks(on, hana::make_tuple(block_dims<33>{}, block_dims<48>{}, block_dims<100>{}, block_dims<5, 4, 9>{}, block_dims<23, 13>{}, block_dims<1023>{}), bodies); });
}

}  // namespace block_tests
