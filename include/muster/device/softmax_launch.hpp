// From checked matrices to the launch of the kernel that the plan names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include <muster/config.hpp>
#include <muster/core/placed_dims.hpp>
#include <muster/device/cluster_kernel.hpp>
#include <muster/device/covering_tiles.hpp>
#include <muster/device/dense_tiles.hpp>
#include <muster/device/few_rows_kernel.hpp>
#include <muster/device/grid_kernel.hpp>
#include <muster/device/grid_plan.hpp>
#include <muster/device/lane_row.hpp>
#include <muster/device/matrix_checks.hpp>
#include <muster/device/row_access.hpp>
#include <muster/device/row_functors.hpp>
#include <muster/device/shifted_tiles.hpp>
#include <muster/device/softmax_kernels.hpp>
#include <muster/device/softmax_plan.hpp>
#include <muster/device/softmax_shapes.hpp>
#include <muster/device/staged_tiles.hpp>
#include <muster/device/workspace.hpp>
#include <muster/launch.hpp>
#include <muster/launch/fact_of_devices.hpp>
#include <muster/target.hpp>

MUSTER_BEGIN

namespace device::detail {

// How the rows of both can be read and written. Strides of a single row do not matter.
template <class In, class Out>
row_access access_of(matrix<In const> const& in, matrix<Out> const& out) {
  auto const begin_of = [](auto* data) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(data) % vector_bytes / sizeof(*data)); };
  bool const one = in.rows == 1;
  return access_of<In, Out>(begin_of(in.data), begin_of(out.data), in.columns, one ? 0 : in.stride, one ? 0 : out.stride);
}

// What takes rows of a cluster's where there are no clusters: on GPUs before sm_90, and in code that was not compiled for sm_90.
template <class Shape>
struct shape_without_clusters {
  using type = reread_shape<512, (Shape::slots < 16 ? 4 : 16)>;
};
template <int Blocks, int Threads, int Slots>
struct shape_without_clusters<few_rows_shape<Blocks, Threads, Slots>> {
  using type = std::conditional_t<few_rows_shape<Blocks, Threads, Slots>::most_accesses <= few_rows_shape<1, 512, 2>::most_accesses, few_rows_shape<1, 512, 2>, reread_shape<512, 4>>;
};
template <class Shape>
using without_clusters = typename shape_without_clusters<Shape>::type;

// What the target has. The emulator's blocks run at once as far as asked for; a few of them show what many do. It works on rows of clusters in one block: their kernels
// would be compiled twice.
inline row_machine machine_of(emulator_target const&, bool has_workspace) { return {.multiprocessors = 4, .has_workspace = has_workspace}; }
#if defined(__CUDACC__)
inline row_machine machine_of(device_target, bool has_workspace) {
  muster::detail::require_device();
  using muster::detail::device_attribute;
  return {device_attribute(cudaDevAttrMultiProcessorCount), has_workspace, device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)};
}
#else
inline row_machine machine_of(device_target, bool has_workspace) { return {.multiprocessors = 1, .has_workspace = has_workspace}; }
#endif

// Of a kernel that a grid shape names: two parts for each block that can run.
inline std::size_t parts_bytes(row_machine const& on) { return static_cast<std::size_t>(on.multiprocessors) * (2 * most_blocks_of_multiprocessor * 2 * sizeof(double)); }

template <class Result, class Shape, class Accesses, class Target, class In, class Out, class Load, class Store>
void launch_grid(Target const& target, row_machine const& on, void* parts, matrix<In const> const& in, matrix<Out> const& out, Load const& load, Store const& store) {
  using A = computed<In>;
  softmax_by_grid<Result, A, Shape::threads, Shape::slots, Shape::in_shared, Shape::streamed_slots, Accesses> const kernel;
  block_dims<Shape::threads> const threads;
  dynamic_shared_size const held{held_bytes<Shape::threads, Shape::in_shared>};
  auto* const of_blocks = static_cast<part_of_sum<A>*>(parts);
  static muster::detail::fact_of_devices resident_blocks;
  int const resident = resident_blocks.of(muster::detail::current_device(target),
                                          [&] { return max_cooperative_blocks(target, threads, held, kernel, in, out, load, store, of_blocks, grid_division{}); });
  if (resident < 1) throw launch_error("muster::device: no block of a grid that shares rows fits this GPU now");
  long long const planned = static_cast<long long>(on.multiprocessors) * Shape::per_multiprocessor;
  using row = typename Accesses::template row<In, Shape::threads, Shape::slots>;
  auto const division = divided(in.rows, in.columns, resident < planned ? resident : planned, row::most_values, sizeof(In));
  grid_dims const grid(static_cast<unsigned>(division.teams * division.blocks_of_team));
  launch(target, cooperative, grid, threads, held, kernel, in, out, load, store, of_blocks, division);
}

// Launches a kernel in clusters of Blocks blocks; false, and nothing is launched, where that cannot be done. So it is on the emulator: it has clusters too, but their
// kernels would be compiled twice.
template <int Blocks, class Target, class Threads, class Kernel, class... Args>
bool launch_in_clusters([[maybe_unused]] Target const& target, [[maybe_unused]] grid_dims grid, [[maybe_unused]] Threads threads, [[maybe_unused]] Kernel const& kernel,
                        [[maybe_unused]] Args const&... args) {
  if constexpr (std::is_same_v<Target, device_target>) {
    cluster_dims<Blocks> const clusters;
    static muster::detail::fact_of_devices usable;
    if (usable.of(muster::detail::current_device(target), [&] { return static_cast<int>(can_launch_clusters(target, clusters, threads, kernel, args...)); }) == 0) return false;
    launch(target, grid, clusters, threads, kernel, args...);
    return true;
  } else {
    return false;
  }
}

// Launches the kernel that Shape names.
template <class Result, class Shape, class Accesses, class Target, class In, class Out, class Load, class Store>
void launch_shape(Target const& target, matrix<In const> const& in, matrix<Out> const& out, Load const& load, Store const& store) {
  using A = computed<In>;
  long long const blocks = blocks_of<Shape>(in.rows);
  if (blocks > 0x7fffffff) throw launch_error("muster::device: " + std::to_string(in.rows) + " rows are more than one grid can have");
  grid_dims const grid(static_cast<unsigned>(blocks));
  block_dims<Shape::threads> const threads;
  if constexpr (std::is_same_v<Accesses, shifted_vectors>) {
    launch(target, grid, threads, softmax_by_shifted_tiles<Result, Shape::lanes, Shape::rows_in_flight, Shape::threads>{}, in, out, load, store);
  } else if constexpr (is_dense_words<Accesses>) {
    softmax_by_dense_tiles<Result, Shape::lanes, Shape::slots, Shape::words, Shape::fewest, Shape::rows_in_flight, Shape::threads> const kernel;
    launch(target, grid, threads, kernel, in, out, load, store);
  } else if constexpr (std::is_same_v<Accesses, staged_values>) {
    launch(target, grid, threads, softmax_by_staged_tiles<Result, sizeof(In), Shape::lanes, Shape::slots, Shape::rows_in_flight, Shape::threads>{}, in, out, load, store);
  } else if constexpr (Shape::way == row_way::tile && std::is_same_v<Accesses, covering_vectors> && Result::writes_values) {
    launch(target, grid, threads, softmax_by_covering_tiles<Result, Shape::lanes, Shape::slots, Shape::rows_in_flight, Shape::threads>{}, in, out, load, store);
  } else if constexpr (Shape::way == row_way::tile) {
    launch(target, grid, threads, softmax_by_tiles<Result, Shape::lanes, Shape::slots, Shape::rows_in_flight, Accesses>{}, in, out, load, store);
  } else if constexpr (is_few_rows_shape<Shape>) {
    softmax_of_few_rows<Result, A, Shape::blocks, Shape::threads, Shape::slots, Accesses> const kernel;
    few_rows<In, Out> const few{in.data, out.data, in.stride, out.stride, static_cast<int>(in.columns)};
    if constexpr (Shape::blocks == 1) launch(target, grid, threads, kernel, few, load, store);
    else if (!launch_in_clusters<Shape::blocks>(target, grid, threads, kernel, few, load, store))
      launch_shape<Result, without_clusters<Shape>, Accesses>(target, in, out, load, store);
  } else if constexpr (Shape::way == row_way::block) {
    launch(target, grid, threads, softmax_by_blocks<Result, A, Shape::threads, Shape::slots, Accesses>{}, in, out, load, store);
  } else if constexpr (Shape::way == row_way::cluster) {
    // ptxas gives these kernels too many registers for two blocks of 512 threads, but the others fewer without being told than with it (CUDA 13.0).
    constexpr unsigned resident = std::is_same_v<Accesses, edged_vectors> && (sizeof(In) == 2 || Shape::blocks >= 8) ? 2 : 0;
    softmax_by_clusters<Result, A, Shape::blocks, Shape::threads, Shape::slots, Accesses, resident> const kernel;
    if (!launch_in_clusters<Shape::blocks>(target, grid, threads, kernel, in, out, load, store))
      launch_shape<Result, without_clusters<Shape>, Accesses>(target, in, out, load, store);
  } else {
    launch(target, grid, threads, softmax_by_rereading<Result, A, Shape::threads, Shape::slots, Accesses>{}, in, out, load, store);
  }
}

template <class Result, class Target, any_workspace Workspace, class In, class Out, class Load, class Store>
void run_rows(char const* what, Target const& target, Workspace const& workspace, matrix<In const> const& in, matrix<Out> const& out, Load const& load,
              Store const& store) {
  static_assert(row_type<In>::value && row_type<Out>::value);
  static_assert(row_functors_map_values<Load, Store, computed<In>>::value && results_can_be_written<Out>::value);
  check_matrix(what, "input", in);
  check_matrix(what, "output", out);
  if (in.rows == 0 || in.columns == 0) return;
  check_overlap(what, in, out);
  // A result of one value a row is stored by itself: only the input's rows matter.
  row_access access;
  if constexpr (Result::writes_values) access = access_of(in, out);
  else access = access_of(in, matrix<In>{const_cast<In*>(in.data), in.rows, in.columns, in.stride});
  using stored = std::conditional_t<Result::writes_values, Out, In>;
  auto const on = machine_of(target, !std::is_same_v<Workspace, no_workspace>);
  if constexpr (std::is_same_v<Workspace, device::workspace>) check_workspace(what, workspace, parts_bytes(on));
  with_access<In, stored>(access, in.rows, in.columns, on, [&]<class Accesses, class Shape>(Accesses, Shape) {
    if constexpr (Shape::way != row_way::grid) {
      launch_shape<Result, Shape, Accesses>(target, in, out, load, store);
    } else if constexpr (!std::is_same_v<Workspace, no_workspace>) {
      with_workspace(what, target, workspace, parts_bytes(on),
                     [&](void* parts) { launch_grid<Result, Shape, Accesses>(target, on, parts, in, out, load, store); });
    }
  });
}

}  // namespace device::detail

MUSTER_END
