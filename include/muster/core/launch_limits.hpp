// What a block and a grid may be, on every GPU that muster supports and on the emulator (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
#pragma once

#include <cstddef>

#include <muster/core/extent.hpp>

namespace muster {

// A kernel's own shared storage; what a launch adds is dynamic, and may be more.
inline constexpr std::size_t most_static_shared_bytes = 48 * 1024;

// What is wrong with a shape; null if nothing is. Each extent is compared by itself first: their product can wrap around.
constexpr char const* trouble_with_grid(extent grid) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return "the grid is empty";
  if (grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535) return "a grid has at most 2147483647 x 65535 x 65535 blocks";
  return nullptr;
}
constexpr char const* trouble_with_block(extent block) {
  if (block.x == 0 || block.y == 0 || block.z == 0) return "the block is empty";
  if (block.x > 1024 || block.y > 1024 || block.z > 64 || block.volume() > 1024) return "a block has at most 1024 threads, 64 of them in z";
  return nullptr;
}

// Clusters of up to 8 blocks run wherever there are clusters, of up to 16 where the GPU allows it (CUDA C++ Programming Guide, "Thread Block Clusters").
inline constexpr unsigned portable_cluster_blocks = 8;
constexpr char const* trouble_with_cluster(extent cluster) {
  if (cluster.x == 0 || cluster.y == 0 || cluster.z == 0) return "the cluster is empty";
  if (cluster.x > 16 || cluster.y > 16 || cluster.z > 16 || cluster.volume() > 16) return "a cluster has at most 16 blocks";
  return nullptr;
}
constexpr char const* trouble_with_grid_of_clusters(extent grid, extent cluster) {
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
    return "the grid, which counts blocks, is in each direction a multiple of its clusters";
  return nullptr;
}

}  // namespace muster
