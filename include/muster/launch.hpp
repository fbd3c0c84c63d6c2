// Launching a kernel on a GPU or on the emulator: one call, one kernel source.
//
// A kernel is a struct at namespace scope:
//
//   struct row_sum {
//     struct shared { float partial[8]; };                       // optional: block-shared storage, placed by the launch
//     MUSTER_FN void operator()(auto block, shared& s, float const* in, float* out) const;
//   };
//
// With `static constexpr bool starts_early = true;` it begins while the kernel before it in the stream still runs, and each of its threads waits for that one's end before
// its first line: what it costs to launch is hidden (programmatic dependent launch; on GPUs of sm_90 or newer and in code for them, else it begins as others do). Most of it
// behind a kernel that begins early too; behind another, from when its blocks end. What kernels before it write it reads by ordinary loads: __ldg is for memory that nobody
// writes from its launch on.
//
// Its arguments travel by value and are trivially copyable. Errors come back as exceptions with the reason; a launch does not wait for the kernel.
// launch(target, [cooperative,] grid_dims(n), [cluster_dims<4>{},] block_dims<256>{}, [dynamic_shared_size{bytes},] kernel, args...)
#pragma once

#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/block.hpp>
#include <muster/core/extent.hpp>
#include <muster/core/placed_dims.hpp>
#include <muster/launch/argument_order.hpp>
#include <muster/launch/kernel_checks.hpp>
#include <muster/launch/on_device.hpp>
#include <muster/launch/on_emulator.hpp>
#include <muster/launch/parameters.hpp>
#include <muster/launch/request.hpp>
#include <muster/target.hpp>

MUSTER_BEGIN

namespace detail {

template <class T>
void* address_of(T const& value) {
  return const_cast<void*>(static_cast<void const volatile*>(__builtin_addressof(value)));
}

template <class Cluster, bool IsCooperative, class Target, class Grid, class Dims, class Kernel, class... Args>
void launch_in_company(Target const& target, Grid grid, Dims dims, dynamic_shared_size dynamic, Kernel const& kernel, Args... args) {
  static_assert(grid_shape_is_dims<Grid>::value && block_shape_is_dims<Dims>::value);
  static_assert(kernel_can_be_copied<Kernel>::value);
  static_assert((kernel_argument<Args>::value && ...));
  if constexpr (dims_of_a_block<Dims> && std::is_same_v<Grid, grid_dims>) {
    using placed = typename dims_in_company<Dims, Cluster, IsCooperative>::type;
    if constexpr (!kernel_is_callable<Kernel, placed, Args...> && (is_launch_parameter<Args> || ...)) {
      static_assert((launch_parameter_stands_before_the_kernel<Args>::value && ...));
    } else {
      static_assert(kernel_takes_arguments<Kernel, placed, Args...>::value);
    }
    if constexpr (kernel_is_callable<Kernel, placed, Args...>) {
      launch_request asked{grid.shape(), dims.shape(), shared_storage_of<Kernel>::bytes, dynamic.bytes, Cluster::shape(), IsCooperative};
      check_shape(asked);
      asked.starts_early = can_start_early<Kernel, placed, Args...>(target);
      void* arguments[] = {detail::address_of(kernel), detail::address_of(args)...};
      launch_on(target, asked, entry_for<Kernel, placed, Args...>(target, asked), arguments);
    }
  }
}

}  // namespace detail

// Runs kernel(block, [shared,] args...) in every thread of grid × block on the target. Dims is block_dims<...>{} (warps' members are then known at compile time) or
// dynamic_block_dims{...}. On the GPU the launch is asynchronous in the target's stream; on the emulator it returns when all blocks have ended.
// Throws launch_error where the launch is impossible; from the emulator, emulator::emulation_error for a broken rule and emulator::kernel_error for an exception of the kernel.
template <class Target, class Grid, class Dims, detail::kernel_object Kernel, detail::argument_by_value... Args>
void launch(Target const& target, Grid grid, Dims dims, dynamic_shared_size dynamic, Kernel const& kernel, Args... args) {
  detail::launch_in_company<no_cluster, false>(target, grid, dims, dynamic, kernel, args...);
}
template <class Target, class Grid, class Dims, detail::kernel_object Kernel, detail::argument_by_value... Args>
  requires(!detail::is_launch_parameter<Dims>)
void launch(Target const& target, Grid grid, Dims dims, Kernel const& kernel, Args... args) {
  detail::launch_in_company<no_cluster, false>(target, grid, dims, dynamic_shared_size{}, kernel, args...);
}

// The same in clusters of blocks, which run at once and reach each other's shared memory: this_cluster(block) is their token. The grid counts blocks and is a multiple of
// the cluster in each direction. Clusters need compute capability 9.0, on the GPU and in what the kernel was compiled for; launch_error says what is missing.
template <class Target, class Grid, unsigned X, unsigned Y, unsigned Z, class Dims, detail::kernel_object Kernel, detail::argument_by_value... Args>
void launch(Target const& target, Grid grid, cluster_dims<X, Y, Z>, Dims dims, dynamic_shared_size dynamic, Kernel const& kernel, Args... args) {
  detail::launch_in_company<cluster_dims<X, Y, Z>, false>(target, grid, dims, dynamic, kernel, args...);
}
template <class Target, class Grid, unsigned X, unsigned Y, unsigned Z, class Dims, detail::kernel_object Kernel, detail::argument_by_value... Args>
void launch(Target const& target, Grid grid, cluster_dims<X, Y, Z>, Dims dims, Kernel const& kernel, Args... args) {
  detail::launch_in_company<cluster_dims<X, Y, Z>, false>(target, grid, dims, dynamic_shared_size{}, kernel, args...);
}

// The same with all blocks at once, or a launch_error: this_grid(block) is the token of all. Can be captured in a graph. Cost over a plain launch: the host asks how many
// blocks fit.
template <class Target, class Grid, class Dims, detail::kernel_object Kernel, detail::argument_by_value... Args>
void launch(Target const& target, cooperative_launch, Grid grid, Dims dims, dynamic_shared_size dynamic, Kernel const& kernel, Args... args) {
  detail::launch_in_company<no_cluster, true>(target, grid, dims, dynamic, kernel, args...);
}
template <class Target, class Grid, class Dims, detail::kernel_object Kernel, detail::argument_by_value... Args>
  requires(!detail::is_launch_parameter<Dims>)
void launch(Target const& target, cooperative_launch, Grid grid, Dims dims, Kernel const& kernel, Args... args) {
  detail::launch_in_company<no_cluster, true>(target, grid, dims, dynamic_shared_size{}, kernel, args...);
}
template <class Target, class Grid, unsigned X, unsigned Y, unsigned Z, class Dims, detail::kernel_object Kernel, detail::argument_by_value... Args>
void launch(Target const& target, cooperative_launch, Grid grid, cluster_dims<X, Y, Z>, Dims dims, dynamic_shared_size dynamic, Kernel const& kernel, Args... args) {
  detail::launch_in_company<cluster_dims<X, Y, Z>, true>(target, grid, dims, dynamic, kernel, args...);
}
template <class Target, class Grid, unsigned X, unsigned Y, unsigned Z, class Dims, detail::kernel_object Kernel, detail::argument_by_value... Args>
void launch(Target const& target, cooperative_launch, Grid grid, cluster_dims<X, Y, Z>, Dims dims, Kernel const& kernel, Args... args) {
  detail::launch_in_company<cluster_dims<X, Y, Z>, true>(target, grid, dims, dynamic_shared_size{}, kernel, args...);
}

// Whether this kernel, with these arguments and no dynamic shared memory, can be launched in such clusters: on a GPU that has none, and where
// it was compiled without them, it cannot; on the emulator it always can. Throws launch_error where there is no usable GPU at all. Cost: the
// host asks how large clusters of it may be.
template <class Target, class Cluster, class Dims, detail::kernel_object Kernel, class... Args>
bool can_launch_clusters(Target const& target, Cluster, Dims dims, Kernel const&, Args...) {
  static_assert(detail::cluster_shape_is_dims<Cluster>::value && detail::block_shape_is_dims<Dims>::value);
  if constexpr (detail::is_cluster_dims<Cluster> && detail::dims_of_a_block<Dims>) {
    using placed = typename detail::dims_in_company<Dims, Cluster, false>::type;
    detail::launch_request const asked{Cluster::shape(), dims.shape(), detail::shared_storage_of<Kernel>::bytes, 0, Cluster::shape(), false};
    return detail::why_no_clusters(target, asked, detail::plain_entry_for<Kernel, placed, Args...>(target)).empty();
  } else {
    return false;
  }
}

// How many blocks of this kernel, launched with these parameters and arguments, can run at once: the largest grid of a cooperative launch,
// while nothing else runs. Cluster: cluster_dims<...>, if it is launched in clusters too; then a multiple of their size. Throws as launch does.
template <class Cluster = no_cluster, class Target, class Dims, detail::kernel_object Kernel, class... Args>
int max_cooperative_blocks(Target const& target, Dims dims, dynamic_shared_size dynamic, Kernel const&, Args...) {
  static_assert(detail::cluster_shape_is_dims<Cluster>::value && detail::block_shape_is_dims<Dims>::value);
  if constexpr (detail::cluster_shape_is_dims<Cluster>::is_right && detail::dims_of_a_block<Dims>) {
    using placed = typename detail::dims_in_company<Dims, Cluster, true>::type;
    static_assert(detail::kernel_takes_arguments<Kernel, placed, Args...>::value);
    extent const one = Cluster::count == 0 ? extent{} : Cluster::shape();
    detail::launch_request const asked{one, dims.shape(), detail::shared_storage_of<Kernel>::bytes, dynamic.bytes, Cluster::shape(), true};
    detail::check_shape(asked);
    return detail::most_blocks_at_once(target, asked, detail::entry_for<Kernel, placed, Args...>(target, asked));
  } else {
    return 0;
  }
}
template <class Cluster = no_cluster, class Target, class Dims, detail::kernel_object Kernel, class... Args>
  requires(!detail::is_launch_parameter<Dims>)
int max_cooperative_blocks(Target const& target, Dims dims, Kernel const& kernel, Args... args) {
  return max_cooperative_blocks<Cluster>(target, dims, dynamic_shared_size{}, kernel, args...);
}

MUSTER_END
