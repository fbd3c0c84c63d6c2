// block<Dims>: the token of a whole thread block, and what can be asked of it.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include <muster/backend/check.hpp>
#include <muster/backend/warp.hpp>
#include <muster/config.hpp>
#include <muster/core/constant.hpp>
#include <muster/core/extent.hpp>
#include <muster/core/lane_set.hpp>
#include <muster/core/launch_limits.hpp>
#include <muster/core/placed_dims.hpp>
#include <muster/core/site.hpp>
#include <muster/core/tile.hpp>
#include <muster/core/uniform.hpp>
#include <muster/core/with.hpp>

MUSTER_BEGIN

namespace detail {

// No dimension at all is what the deduction guide below makes of block_dims(64).
template <unsigned X, unsigned Y, unsigned Z>
struct block_dimensions_are_possible {
  static_assert(X + Y + Z != 0, "muster::block_dims<64>{}: the shape is a constant and stands in angle brackets; a shape known at run time is dynamic_block_dims{64}");
  static_assert(X + Y + Z == 0 || trouble_with_block({X, Y, Z}) == nullptr, "muster::block_dims<X, Y, Z>: a block has 1 to 1024 threads, at most 64 of them in z");
  static constexpr bool value = true;
};

}  // namespace detail

// A block's shape, known at compile time.
template <unsigned X, unsigned Y = 1, unsigned Z = 1>
struct block_dims {
  static_assert(detail::block_dimensions_are_possible<X, Y, Z>::value);
  static constexpr bool is_static = true;
  static constexpr int count = static_cast<int>(X * Y * Z);
  MUSTER_FN static constexpr extent shape() { return {X, Y, Z}; }
};

template <class... Numbers>
  requires(sizeof...(Numbers) > 0 && (std::is_arithmetic_v<Numbers> && ...))
block_dims(Numbers...) -> block_dims<0, 0, 0>;

// A block's shape, known when the kernel is launched: its warps are ragged.
struct dynamic_block_dims {
  static constexpr bool is_static = false;
  static constexpr int count = 0;
  unsigned x = 1, y = 1, z = 1;
  MUSTER_FN constexpr extent shape() const { return {x, y, z}; }
};

// Every thread of the block. `launch` hands it to the kernel; `this_block` admits kernels that were launched otherwise.
template <class Dims>
class MUSTER_TOKEN block final {  // as tile is
 public:
  using dims = Dims;

  // User-provided on purpose: a trivially copyable token could be forged by bit_cast.
  MUSTER_FN block(block const&) {}
  block& operator=(block const&) = delete;

 private:
  MUSTER_FN block() {}
  friend struct detail::mint;
};

namespace detail {

template <class Dims>
inline constexpr bool is_token<block<Dims>> = true;

template <class T>
concept dims_of_a_block = requires(T dims) {
  { T::is_static } -> std::convertible_to<bool>;
  { dims.shape() } -> std::same_as<extent>;
};

template <class Dims>
struct this_block_states_dimensions {
  static_assert(dims_of_a_block<Dims>, "muster::this_block<Dims>(): Dims is the shape of the launch, block_dims<X, Y, Z>; or nothing, this_block(), where it is not fixed");
  static constexpr bool value = true;
};

template <class Dims>
struct dynamic_shared_has_a_type {
  static_assert(std::is_void_v<Dims>, "muster::dynamic_shared<T>(block): T is missing, the type of the values that lie there");
  static constexpr bool value = true;
};

// The shape: a constant where the type knows it.
template <class Dims>
MUSTER_FN extent shape_of(block<Dims>) {
  if constexpr (Dims::is_static) {
    return Dims::shape();
  } else {
    return backend::block_shape();
  }
}

}  // namespace detail

// Any block: what helper functions ask for.
template <class T>
concept any_block = detail::is_block<std::remove_cvref_t<T>>;

// The block of a kernel that muster did not launch. Every thread must call it, at the kernel's top, and Dims must be what the kernel is launched with, placed_dims of
// clusters and cooperative launches too: that is the caller's obligation; the emulator and checked builds check it, the emulator also that the call stands in no narrowed
// scope. Without Dims the shape is read at run time and warps are ragged.
template <class Dims = dynamic_block_dims>
MUSTER_FN block<Dims> this_block(site where = site::here()) {
  static_assert(detail::this_block_states_dimensions<Dims>::value);
  backend::check_no_scope("this_block", where);
  if constexpr (detail::dims_of_a_block<Dims>) {
    if constexpr (Dims::is_static) backend::check_block_shape(Dims::shape(), where);
    using company = detail::company_of<Dims>;
    if constexpr (company::cluster_type::count != 0) backend::check_cluster_shape(company::cluster_type::shape(), where);
    if constexpr (company::is_cooperative) backend::check_cooperative(where);
  }
  return detail::mint::make<block<Dims>>();
}

// Not a block but its error message.
template <unsigned X, unsigned Y = 1, unsigned Z = 1>
MUSTER_FN block<block_dims<X, Y, Z>> this_block() {
  static_assert(detail::this_block_states_dimensions<std::integral_constant<unsigned, X>>::value);
  return detail::mint::make<block<block_dims<X, Y, Z>>>();
}

// The caller's place in the block, x, y, z.
template <class Dims>
MUSTER_FN extent thread_index(block<Dims>) {
  return backend::thread_index();
}

// The caller's linear number in the block: x first, then y, then z.
template <class Dims>
MUSTER_FN int thread_rank(block<Dims> b) {
  if constexpr (Dims::is_static)
    if constexpr (Dims::shape().y == 1 && Dims::shape().z == 1) return static_cast<int>(backend::thread_index().x);
  return static_cast<int>(linear_index(backend::thread_index(), detail::shape_of(b)));
}

// How many threads the block has: a constant<N> where the type knows it, otherwise uniform in the block.
template <class Dims>
MUSTER_FN auto num_threads(block<Dims> b) {
  if constexpr (Dims::is_static) {
    return constant<Dims::count>{};
  } else {
    return detail::mint::make<uniform<int, block<Dims>>>(static_cast<int>(detail::shape_of(b).volume()));
  }
}

// The block's place in the grid, and its linear number there. Uniform in the block.
template <class Dims>
MUSTER_FN extent block_index(block<Dims>) {
  return backend::block_index();
}
template <class Dims>
MUSTER_FN auto block_rank(block<Dims>) {
  return detail::mint::make<uniform<unsigned, block<Dims>>>(linear_index(backend::block_index(), backend::grid_shape()));
}

// How many blocks the grid has. Uniform in the block.
template <class Dims>
MUSTER_FN auto num_blocks(block<Dims>) {
  return detail::mint::make<uniform<unsigned, block<Dims>>>(static_cast<unsigned>(backend::grid_shape().volume()));
}

// Which warp of the block the caller is in, and how many there are, a ragged last one counted.
template <class Dims>
MUSTER_FN int warp_rank(block<Dims> b) {
  return static_cast<int>(static_cast<unsigned>(thread_rank(b)) / warp_size);
}
template <class Dims>
MUSTER_FN auto num_warps(block<Dims> b) {
  if constexpr (Dims::is_static) {
    return constant<(Dims::count + warp_size - 1) / warp_size>{};
  } else {
    return detail::mint::make<uniform<int, block<Dims>>>((num_threads(b).value() + warp_size - 1) / warp_size);
  }
}

// Waits for every thread of the block and orders their memory accesses. Every thread that has not exited must call it, in no narrowed scope.
// Cost: one bar.sync. Source: PTX ISA, "bar.sync".
template <class Dims>
MUSTER_FN void sync(block<Dims>, site where = site::here()) {
  backend::sync_block(where);
}

// The dynamic shared memory that the launch asked for: the block's, as T. Its size in bytes is dynamic_shared_bytes(block).
template <class T, class Dims>
MUSTER_FN T* dynamic_shared(block<Dims>) {
  static_assert(alignof(T) <= 128, "muster::dynamic_shared<T>: dynamic shared memory is aligned to 128 bytes, and T asks for more");
  return static_cast<T*>(backend::dynamic_shared_memory());
}

// Not memory but its error message.
template <class Dims>
MUSTER_FN void* dynamic_shared(block<Dims>) {
  static_assert(detail::dynamic_shared_has_a_type<Dims>::value);
  return nullptr;
}

template <class Dims>
MUSTER_FN std::size_t dynamic_shared_bytes(block<Dims>) {
  return backend::dynamic_shared_bytes();
}

MUSTER_END
