// What a launch is told beside its target and kernel: the shapes, that all blocks run at once, dynamic shared memory.
#pragma once

#include <cstddef>
#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/extent.hpp>
#include <muster/core/placed_dims.hpp>

MUSTER_BEGIN

// How many blocks.
struct grid_dims {
  unsigned x = 1, y = 1, z = 1;
  constexpr explicit grid_dims(unsigned in_x, unsigned in_y = 1, unsigned in_z = 1) : x(in_x), y(in_y), z(in_z) {}
  constexpr extent shape() const { return {x, y, z}; }
};

// Before grid_dims: all blocks run at once or the launch throws, so that they can wait for each other; this_grid(block) is then their token. How many can is
// max_cooperative_blocks.
struct cooperative_launch {};
inline constexpr cooperative_launch cooperative{};

// Bytes of dynamic shared memory, which dynamic_shared<T>(block) gives to the kernel.
struct dynamic_shared_size {
  std::size_t bytes = 0;
};

namespace detail {

template <class T>
struct grid_shape_is_dims {
  static_assert(std::is_same_v<T, grid_dims>, "muster::launch: the grid's shape is grid_dims(x, y, z), so that it cannot be taken for the block's");
  static constexpr bool value = true;
};

template <class T>
struct block_shape_is_dims {
  static_assert(dims_of_a_block<T>, "muster::launch: the block's shape is block_dims<X, Y, Z>{} or dynamic_block_dims{x, y, z}");
  static constexpr bool value = true;
};

// What stands between the target and the kernel, beside the two shapes; and what can be the kernel.
template <class T>
inline constexpr bool is_launch_parameter = std::is_same_v<T, cooperative_launch> || std::is_same_v<T, dynamic_shared_size> || is_cluster_dims<T>;
template <class T>
concept kernel_object = std::is_class_v<T> && !is_launch_parameter<T> && !std::is_same_v<T, grid_dims> && !dims_of_a_block<T>;

}  // namespace detail

MUSTER_END
