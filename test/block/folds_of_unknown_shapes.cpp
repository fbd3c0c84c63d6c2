// The same where the shape is known when the kernel is launched.
#include "on_blocks.hpp"

namespace block_tests {

using muster::dynamic_block_dims;

TEST_CASE("folds of blocks whose shape is known at run time only") {
  auto const bodies = hana::tuple_t<block_folds<muster::plus, std::int32_t>, block_folds<muster::plus, float>, block_folds<compose, affine>>;
  for_each_machine([&](machine const& on) {
    for (dynamic_block_dims const dims : {dynamic_block_dims{1}, dynamic_block_dims{31}, dynamic_block_dims{32}, dynamic_block_dims{33}, dynamic_block_dims{64}, dynamic_block_dims{10, 5, 2},
                                          dynamic_block_dims{256}, dynamic_block_dims{15, 20}, dynamic_block_dims{1000}, dynamic_block_dims{1024}})
      run_blocks(on, hana::make_tuple(dims), bodies);
  });
}

}  // namespace block_tests
